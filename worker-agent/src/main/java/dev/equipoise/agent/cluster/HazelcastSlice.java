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
 * A message from one rank to another through Hazelcast: bytes of a stream, an acknowledgment, the
 * end of a stream, or a request for a proof. Slices are numbered, since Hazelcast guarantees no
 * order.
 */
final class HazelcastSlice extends Operation implements IdentifiedDataSerializable {

    static final int FACTORY = 0x4551;
    static final int TYPE = 1;

    /**
     * Longest slice in bytes; longer ones are rejected, so that no peer can make a member allocate
     * more.
     */
    static final int MAX_BYTES = 1 << 20;

    private static final int NONCE_BYTES = 2 * Long.BYTES;
    private static final byte[] NO_BYTES = new byte[0];

    private UUID stream;
    private Kind kind;
    private long number;
    private byte[] bytes;

    /** For deserialization by Hazelcast. */
    HazelcastSlice() {
        this(new UUID(0, 0), Kind.BYTES, 0, NO_BYTES);
    }

    private HazelcastSlice(UUID stream, Kind kind, long number, byte[] bytes) {
        this.stream = stream;
        this.kind = kind;
        this.number = number;
        this.bytes = bytes;
    }

    /**
     * Asks the member that awaits a stream under this public name for a proof; a member that awaits
     * none does not answer.
     */
    static HazelcastSlice hello(UUID publicName, UUID nonce) {
        ByteBuffer nonceBytes =
                ByteBuffer.allocate(NONCE_BYTES)
                        .putLong(nonce.getMostSignificantBits())
                        .putLong(nonce.getLeastSignificantBits());
        return new HazelcastSlice(publicName, Kind.HELLO, 0, nonceBytes.array());
    }

    private Optional<UUID> nonce() {
        ByteBuffer nonceBytes = ByteBuffer.wrap(bytes);
        return bytes.length == NONCE_BYTES
                ? Optional.of(new UUID(nonceBytes.getLong(), nonceBytes.getLong()))
                : Optional.empty();
    }

    static HazelcastSlice bytes(UUID stream, long number, byte[] bytes) {
        return new HazelcastSlice(stream, Kind.BYTES, number, bytes);
    }

    static HazelcastSlice taken(UUID stream, long slices) {
        return new HazelcastSlice(stream, Kind.TAKEN, slices, NO_BYTES);
    }

    static HazelcastSlice end(UUID stream, long slices) {
        return new HazelcastSlice(stream, Kind.END, slices, NO_BYTES);
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
        if (length < 0 || length > MAX_BYTES) {
            throw new IOException(
                    "a slice holds at most %d bytes, but announces %d"
                            .formatted(MAX_BYTES, length));
        }
        bytes = length == 0 ? NO_BYTES : new byte[length];
        in.readFully(bytes);
    }

    private static Kind kind(byte code) throws IOException {
        for (Kind kind : Kind.values()) {
            if (kind.code == code) {
                return kind;
            }
        }
        throw new IOException("slice kind " + code + " is unknown");
    }

    @Override
    public int getFactoryId() {
        return FACTORY;
    }

    @Override
    public int getClassId() {
        return TYPE;
    }

    /** The kind of a slice. */
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
