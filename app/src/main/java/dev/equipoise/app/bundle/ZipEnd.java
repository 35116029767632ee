package dev.equipoise.app.bundle;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Finds the end record of a zip (APPNOTE 4.3.16). {@link java.util.zip.ZipInputStream} does not
 * read the central directory, so it alone would accept an archive whose end is missing.
 */
final class ZipEnd {

    private static final int SIGNATURE = 0x06054b50;
    private static final int RECORD_BYTES = 22;
    private static final int MAX_COMMENT_BYTES = 0xffff;

    // Offsets of fields in the record.
    private static final int ENTRIES = 10;
    private static final int DIRECTORY_BYTES = 12;
    private static final int DIRECTORY_START = 16;
    private static final int COMMENT_BYTES = 20;

    private ZipEnd() {}

    /** Tells whether the zip ends with the record of a directory with this number of entries. */
    static boolean isComplete(byte[] zip, int entries) {
        ByteBuffer bytes = ByteBuffer.wrap(zip).order(ByteOrder.LITTLE_ENDIAN);
        int last = zip.length - RECORD_BYTES;
        for (int at = last; at >= Math.max(0, last - MAX_COMMENT_BYTES); at--) {
            if (bytes.getInt(at) == SIGNATURE && isEnd(bytes, at, entries)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isEnd(ByteBuffer bytes, int at, int entries) {
        long start = Integer.toUnsignedLong(bytes.getInt(at + DIRECTORY_START));
        long length = Integer.toUnsignedLong(bytes.getInt(at + DIRECTORY_BYTES));
        int comment = Short.toUnsignedInt(bytes.getShort(at + COMMENT_BYTES));
        return Short.toUnsignedInt(bytes.getShort(at + ENTRIES)) == entries
                && start + length == at
                && at + RECORD_BYTES + comment == bytes.limit();
    }
}
