package dev.equipoise.agent.channel;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** The CRC-32C of one frame after another, over the header and, optionally, the payload. */
final class FrameChecksum {

    private final CRC32C sum = new CRC32C();
    private final ByteBuffer header;
    private final Cover cover;

    /**
     * @param header buffer that holds the header of a frame when the frame begins
     */
    FrameChecksum(ByteBuffer header, Cover cover) {
        this.header = FrameHeader.covered(header);
        this.cover = cover;
    }

    /** The bytes that a checksum covers. */
    enum Cover {
        /**
         * The header alone. This is enough if the payload stays within a host: it is copied there
         * as any memory is, and to checksum it takes as long as to move it.
         */
        HEADER,
        /** Header and payload, for frames that go over a network. */
        FRAME
    }

    /** Begins a frame with the header that is in the buffer now. */
    void begin() {
        sum.reset();
        sum.update(header.clear());
    }

    /** Adds the remaining bytes of the buffer, whose position does not change. */
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
