package dev.equipoise.agent.cluster;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import com.hazelcast.spi.impl.operationservice.Operation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What one rank tells another through Hazelcast: bytes of a stream, or how many slices it has
 * taken, or that it has gone. Hazelcast promises no order, so slices are numbered.
 */
final class HazelcastSlice extends Operation implements IdentifiedDataSerializable {

    static final int FACTORY = 0x4551;
    static final int TYPE = 1;

    /** Longer ones are refused: nobody may make a member allocate what it likes. */
    static final int MOST_BYTES = 1 << 20;

    private static final int NONCE_BYTES = 2 * Long.BYTES;
    private static final byte[] NOTHING = new byte[0];

    private UUID stream;
    private Kind kind;
    private long number;
    private byte[] bytes;

    /** For Hazelcast, which fills it. */
    HazelcastSlice() {
        this(new UUID(0, 0), Kind.BYTES, 0, NOTHING);
    }

    private HazelcastSlice(UUID stream, Kind kind, long number, byte[] bytes) {
        this.stream = stream;
        this.kind = kind;
        this.number = number;
        this.bytes = bytes;
    }

    /** Asks whether the peer waits behind the door; it answers with a proof, or not at all. */
    static HazelcastSlice hello(UUID door, UUID nonce) {
        ByteBuffer asked =
                ByteBuffer.allocate(NONCE_BYTES)
                        .putLong(nonce.getMostSignificantBits())
                        .putLong(nonce.getLeastSignificantBits());
        return new HazelcastSlice(door, Kind.HELLO, 0, asked.array());
    }

    private Optional<UUID> nonce() {
        ByteBuffer asked = ByteBuffer.wrap(bytes);
        return bytes.length == NONCE_BYTES
                ? Optional.of(new UUID(asked.getLong(), asked.getLong()))
                : Optional.empty();
    }

    static HazelcastSlice bytes(UUID stream, long number, byte[] bytes) {
        return new HazelcastSlice(stream, Kind.BYTES, number, bytes);
    }

    static HazelcastSlice taken(UUID stream, long slices) {
        return new HazelcastSlice(stream, Kind.TAKEN, slices, NOTHING);
    }

    static HazelcastSlice end(UUID stream, long slices) {
        return new HazelcastSlice(stream, Kind.END, slices, NOTHING);
    }

    @Override
    public String getServiceName() {
        return HazelcastStreams.NAME;
    }

    @Override
    public boolean returnsResponse() {
        return kind == Kind.HELLO;
    }

    @Override
    public byte @Nullable [] getResponse() {
        HazelcastStreams streams = getService();
        return nonce().flatMap(nonce -> streams.answer(stream, nonce)).orElse(null);
    }

    @Override
    public void run() {
        this.<HazelcastStreams>getService().arrived(this);
    }

    UUID stream() {
        return stream;
    }

    Kind kind() {
        return kind;
    }

    long number() {
        return number;
    }

    byte[] bytes() {
        return bytes;
    }

    @Override
    protected void writeInternal(ObjectDataOutput out) throws IOException {
        super.writeInternal(out);
        out.writeLong(stream.getMostSignificantBits());
        out.writeLong(stream.getLeastSignificantBits());
        out.writeByte(kind.code);
        out.writeLong(number);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    @Override
    protected void readInternal(ObjectDataInput in) throws IOException {
        super.readInternal(in);
        stream = new UUID(in.readLong(), in.readLong());
        kind = kind(in.readByte());
        number = in.readLong();
        int length = in.readInt();
        if (length < 0 || length > MOST_BYTES) {
            throw new IOException(
                    "a slice has at most %d bytes, but announced %d".formatted(MOST_BYTES, length));
        }
        bytes = length == 0 ? NOTHING : new byte[length];
        in.readFully(bytes);
    }

    private static Kind kind(byte code) throws IOException {
        for (Kind kind : Kind.values()) {
            if (kind.code == code) {
                return kind;
            }
        }
        throw new IOException("no kind of slice is " + code);
    }

    @Override
    public int getFactoryId() {
        return FACTORY;
    }

    @Override
    public int getClassId() {
        return TYPE;
    }

    /** What a slice says. */
    enum Kind {
        HELLO(1),
        BYTES(2),
        TAKEN(3),
        END(4);

        private final byte code;

        Kind(int code) {
            this.code = (byte) code;
        }
    }
}
