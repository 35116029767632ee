package dev.equipoise.agent.channel;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** The CRC-32C of one frame after another, over the header and, on request, the payload. */
final class FrameChecksum {

    private final CRC32C sum = new CRC32C();
    private final ByteBuffer header;
    private final Cover cover;

    /**
     * @param header in which each frame's header stands when the frame begins
     */
    FrameChecksum(ByteBuffer header, Cover cover) {
        this.header = FrameHeader.covered(header);
        this.cover = cover;
    }

    /** What a checksum is taken over. */
    enum Cover {
        /**
         * Enough where the payload stays within a machine: it is copied there as any memory is, and
         * to look at all of it takes as long as to move it.
         */
        HEADER,
        /** What goes over a network. */
        FRAME
    }

    /** Begins with the header that stands there now. */
    void begin() {
        sum.reset();
        sum.update(header.clear());
    }

    /** Goes on with what remains in the buffer, which is left as it is. */
    void add(ByteBuffer payload) {
        if (cover == Cover.FRAME) {
            int start = payload.position();
            sum.update(payload);
            payload.position(start);
        }
    }

    int value() {
        return (int) sum.getValue();
    }
}
