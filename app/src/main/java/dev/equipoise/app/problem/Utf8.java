package dev.equipoise.app.problem;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;

/**
 * Checks that bytes are text in UTF-8 by RFC 3629. The JSON parser is laxer: it accepts overlong
 * forms, and guesses UTF-16 and UTF-32 by their NUL bytes.
 */
public final class Utf8 {

    private static final int CHARACTERS = 4096;

    private Utf8() {}

    /** Returns the index of the first byte that is NUL or does not belong to UTF-8. */
    public static OptionalInt firstInvalid(byte[] text) {
        OptionalInt malformed = firstMalformed(ByteBuffer.wrap(text));
        for (int at = 0; at < malformed.orElse(text.length); at++) {
            if (text[at] == 0) {
                return OptionalInt.of(at);
            }
        }
        return malformed;
    }

    private static OptionalInt firstMalformed(ByteBuffer text) {
        // Reports malformed input instead of replacing it.
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        CharBuffer characters = CharBuffer.allocate(CHARACTERS);
        CoderResult result;
        do {
            characters.clear();
            result = decoder.decode(text, characters, true);
        } while (result.isOverflow());
        return result.isError() ? OptionalInt.of(text.position()) : OptionalInt.empty();
    }
}
