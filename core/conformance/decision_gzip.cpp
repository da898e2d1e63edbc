// SPDX-License-Identifier: GPL-3.0-or-later
// Unpacks in steps of one buffer, so that a small file that promises gigabytes is refused at the limit.
#include "conformance/decision_gzip.h"

#define ZLIB_CONST
#include <zlib.h>

#include <limits>
#include <vector>

namespace rqscope {

namespace {

constexpr std::size_t kStep = 1U << 16U;    // bytes unpacked at a time
constexpr int kGzipWindow = 16 + MAX_WBITS; // gzip header and the largest window

struct Inflater {
    z_stream stream{};
    bool ready = inflateInit2(&stream, kGzipWindow) == Z_OK;

    Inflater() = default;
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;
    ~Inflater() {
        if (ready) inflateEnd(&stream);
    }
};

Problem damaged(const z_stream& stream) {
    return {"", std::string("is damaged gzip data (") + (stream.msg != nullptr ? stream.msg : "no valid block") + ")"};
}

} // namespace

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

Result<std::string> gunzip(std::string_view bytes, std::size_t limit) {
    if (!is_gzip(bytes)) return Problem{"", "is no gzip data"};
    if (bytes.size() > std::numeric_limits<uInt>::max()) return Problem{"", "is too large to unpack"};
    Inflater inflater;
    if (!inflater.ready) return Problem{"", "cannot be unpacked: no memory"};
    auto& z = inflater.stream;
    z.next_in = reinterpret_cast<const Bytef*>(bytes.data());
    z.avail_in = static_cast<uInt>(bytes.size());
    std::string text;
    std::vector<char> step(kStep);
    for (;;) {
        z.next_out = reinterpret_cast<Bytef*>(step.data());
        z.avail_out = static_cast<uInt>(step.size());
        const int status = inflate(&z, Z_NO_FLUSH);
        if (status == Z_BUF_ERROR) return Problem{"", "is cut off in the middle of its gzip data"};
        if (status != Z_OK && status != Z_STREAM_END) return damaged(z);
        text.append(step.data(), step.size() - z.avail_out);
        if (text.size() > limit) return Problem{"", "holds more than " + std::to_string(limit >> 20U) + " MiB of text"};
        if (status != Z_STREAM_END) continue;
        if (z.avail_in == 0) return text;
        if (inflateReset(&z) != Z_OK) return damaged(z);
    }
}

} // namespace rqscope
