package dev.equipoise.app.run;

import dev.equipoise.protocol.AgentEvent.Observed;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Points of a curve in few bytes: of each the steps and the microseconds since the one before, or
 * of the first since the run began, as numbers of seven bits a byte, the lowest first; then its
 * value, eight bytes, the lowest first.
 */
final class PackedPoints {

    private static final double MICROS_PER_SECOND = 1e6;
    private static final int BITS = 7;
    private static final int MORE = 1 << BITS;

    /** Two numbers of at most nine bytes, and a value. */
    private static final int MOST_BYTES = 9 + 9 + Double.BYTES;

    private PackedPoints() {}

    /** Hears of points in their order. */
    interface Reader {

        void point(long step, double seconds, double value);
    }

    /**
     * Packs points that follow others.
     *
     * @param step of the last one before, or 0
     * @param micros the same in microseconds
     */
    static byte[] pack(long step, long micros, Observed points) {
        ByteBuffer packed = buffer(ByteBuffer.allocate(points.steps().size() * MOST_BYTES));
        long lastStep = step;
        long lastMicros = micros;
        for (int i = 0; i < points.steps().size(); i++) {
            long nextMicros = micros(points.seconds().get(i));
            put(packed, points.steps().get(i) - lastStep);
            put(packed, nextMicros - lastMicros);
            packed.putDouble(points.values().get(i));
            lastStep = points.steps().get(i);
            lastMicros = nextMicros;
        }
        return taken(packed);
    }

    private static byte[] taken(ByteBuffer packed) {
        byte[] bytes = new byte[packed.position()];
        packed.flip().get(bytes);
        return bytes;
    }

    /** Packs points of which the first follows none. */
    static byte[] pack(CurvePoints points) {
        ByteBuffer packed = buffer(ByteBuffer.allocate(points.size() * MOST_BYTES));
        long lastStep = 0;
        long lastMicros = 0;
        for (int i = 0; i < points.size(); i++) {
            long nextMicros = micros(points.seconds(i));
            put(packed, points.step(i) - lastStep);
            put(packed, nextMicros - lastMicros);
            packed.putDouble(points.value(i));
            lastStep = points.step(i);
            lastMicros = nextMicros;
        }
        return taken(packed);
    }

    static void unpack(byte[] bytes, Reader reader) {
        ByteBuffer packed = buffer(ByteBuffer.wrap(bytes));
        long step = 0;
        long micros = 0;
        while (packed.hasRemaining()) {
            step += get(packed);
            micros += get(packed);
            reader.point(step, micros / MICROS_PER_SECOND, packed.getDouble());
        }
    }

    static long micros(double seconds) {
        return Math.round(seconds * MICROS_PER_SECOND);
    }

    private static ByteBuffer buffer(ByteBuffer bytes) {
        return bytes.order(ByteOrder.LITTLE_ENDIAN);
    }

    private static void put(ByteBuffer packed, long number) {
        long rest = number;
        while (rest >= MORE) {
            packed.put((byte) (rest % MORE + MORE));
            rest >>>= BITS;
        }
        packed.put((byte) rest);
    }

    private static long get(ByteBuffer packed) {
        long number = 0;
        int shift = 0;
        byte next = packed.get();
        while (next < 0) {
            number |= (long) (next & (MORE - 1)) << shift;
            shift += BITS;
            next = packed.get();
        }
        return number | (long) next << shift;
    }
}
