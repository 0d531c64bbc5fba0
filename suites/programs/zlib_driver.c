/* Deflates and inflates standard input at every level, strategy and wrapping, in one go and in
   small steps, and tells lengths and checksums. Ends with 1 if bytes do not come back. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "zlib.h"

enum { LARGEST = 1 << 20 };

static unsigned char input[LARGEST], packed[2 * LARGEST], output[LARGEST];
static int failures = 0;

static void require(int holds, const char *what)
{
    if (!holds) {
        printf("FAILED: %s\n", what);
        failures++;
    }
}

static uLong deflate_all(z_stream *stream, uLong length, uInt step)
{
    int status = Z_OK;
    stream->next_in = input;
    stream->next_out = packed;
    while (status == Z_OK || status == Z_BUF_ERROR) {
        uLong left = length - stream->total_in;
        stream->avail_in = left < step ? (uInt)left : step;
        stream->avail_out = step;
        status = deflate(stream, left <= step ? Z_FINISH : Z_NO_FLUSH);
    }
    require(status == Z_STREAM_END, "deflate ends");
    return stream->total_out;
}

static uLong inflate_all(z_stream *stream, uLong length, uInt step)
{
    int status = Z_OK;
    stream->next_in = packed;
    stream->next_out = output;
    while (status == Z_OK) {
        uLong left = length - stream->total_in;
        stream->avail_in = left < step ? (uInt)left : step;
        stream->avail_out = step;
        status = inflate(stream, Z_NO_FLUSH);
    }
    require(status == Z_STREAM_END, "inflate ends");
    return stream->total_out;
}

static void round_trip(uLong length, int level, int window, int strategy, uInt step)
{
    z_stream stream;
    uLong size;
    memset(&stream, 0, sizeof stream);
    require(deflateInit2(&stream, level, Z_DEFLATED, window, 8, strategy) == Z_OK, "deflateInit2");
    size = deflate_all(&stream, length, step);
    require(deflateEnd(&stream) == Z_OK, "deflateEnd");
    printf("level %2d window %3d strategy %d step %6u: %6lu bytes, crc %08lx, adler %08lx\n", level,
           window, strategy, step, size, crc32(0, packed, (uInt)size), adler32(1, packed, (uInt)size));
    memset(&stream, 0, sizeof stream);
    memset(output, 0, sizeof output);
    require(inflateInit2(&stream, window) == Z_OK, "inflateInit2");
    require(inflate_all(&stream, size, step) == length, "all bytes come back");
    require(inflateEnd(&stream) == Z_OK, "inflateEnd");
    require(memcmp(input, output, length) == 0, "the same bytes come back");
}

static void damage(uLong length)
{
    static const int places[] = {0, 1, 2, 10, 100};
    uLongf size = sizeof packed;
    size_t i;
    require(compress2(packed, &size, input, length, 6) == Z_OK, "compress2");
    for (i = 0; i < sizeof places / sizeof *places; i++) {
        uLongf room = sizeof output;
        int status;
        packed[places[i]] ^= 0x55;
        status = uncompress(output, &room, packed, size);
        printf("byte %d damaged: %d\n", places[i], status);
        packed[places[i]] ^= 0x55;
    }
    {
        uLongf room = 10;
        printf("no room: %d\n", uncompress(output, &room, packed, size));
        room = sizeof output;
        printf("cut short: %d\n", uncompress(output, &room, packed, size / 2));
    }
}

int main(void)
{
    uLong length = fread(input, 1, sizeof input, stdin);
    int level, strategy;
    printf("%lu bytes, crc %08lx, adler %08lx\n", length, crc32(0, input, (uInt)length),
           adler32(1, input, (uInt)length));
    printf("combined crc %08lx\n",
           crc32_combine(crc32(0, input, 1000), crc32(0, input + 1000, (uInt)length - 1000), (z_off_t)length - 1000));
    for (level = -1; level <= 9; level++) {
        round_trip(length, level, 15, Z_DEFAULT_STRATEGY, 1 << 16);
    }
    for (strategy = Z_FILTERED; strategy <= Z_FIXED; strategy++) {
        round_trip(length, 6, 15, strategy, 1 << 16);
    }
    round_trip(length, 9, -15, Z_DEFAULT_STRATEGY, 777);
    round_trip(length, 1, 31, Z_DEFAULT_STRATEGY, 333);
    round_trip(length, 6, 9, Z_DEFAULT_STRATEGY, 1 << 16);
    damage(length);
    return failures > 0;
}
