package dev.equipoise.app.telemetry;

import dev.equipoise.protocol.RunReport.Observed;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Compact encoding of the points of a curve. Each point has the difference in steps and in
 * microseconds to the point before, the first one to the beginning of the run, as varints (LEB128:
 * seven bits a byte, lowest first), then its value as a little-endian double of eight bytes.
 */
final class PackedPoints {

    private static final double MICROS_PER_SECOND = 1e6;
    private static final int BITS = 7;
    private static final int MORE = 1 << BITS;

    /** Two varints of at most nine bytes, and a value. */
    private static final int MAX_BYTES = 9 + 9 + Double.BYTES;

    private PackedPoints() {}

    /** Receives points in their order. */
    interface Reader {

        void point(long step, double seconds, double value);
    }

    /**
     * Packs points that follow others.
     *
     * @param step step of the point before, or 0
     * @param micros microseconds of the point before, or 0
     */
    static byte[] pack(long step, long micros, Observed points) {
        ByteBuffer packed = buffer(ByteBuffer.allocate(points.steps().size() * MAX_BYTES));
        long lastStep = step;
        long lastMicros = micros;
        for (int i = 0; i < points.steps().size(); i++) {
            long nextMicros = micros(points.seconds().get(i));
            putVarint(packed, points.steps().get(i) - lastStep);
            putVarint(packed, nextMicros - lastMicros);
            packed.putDouble(points.values().get(i));
            lastStep = points.steps().get(i);
            lastMicros = nextMicros;
        }
        return written(packed);
    }

    private static byte[] written(ByteBuffer packed) {
        byte[] bytes = new byte[packed.position()];
        packed.flip().get(bytes);
        return bytes;
    }

    /** Packs a whole curve. */
    static byte[] pack(CurvePoints points) {
        ByteBuffer packed = buffer(ByteBuffer.allocate(points.size() * MAX_BYTES));
        long lastStep = 0;
        long lastMicros = 0;
        for (int i = 0; i < points.size(); i++) {
            long nextMicros = micros(points.seconds(i));
            putVarint(packed, points.step(i) - lastStep);
            putVarint(packed, nextMicros - lastMicros);
            packed.putDouble(points.value(i));
            lastStep = points.step(i);
            lastMicros = nextMicros;
        }
        return written(packed);
    }

    static void unpack(byte[] bytes, Reader reader) {
        ByteBuffer packed = buffer(ByteBuffer.wrap(bytes));
        long step = 0;
        long micros = 0;
        while (packed.hasRemaining()) {
            step += getVarint(packed);
            micros += getVarint(packed);
            reader.point(step, micros / MICROS_PER_SECOND, packed.getDouble());
        }
    }

    static long micros(double seconds) {
        return Math.round(seconds * MICROS_PER_SECOND);
    }

    private static ByteBuffer buffer(ByteBuffer bytes) {
        return bytes.order(ByteOrder.LITTLE_ENDIAN);
    }

    private static void putVarint(ByteBuffer packed, long number) {
        long rest = number;
        while (rest >= MORE) {
            packed.put((byte) (rest % MORE + MORE));
            rest >>>= BITS;
        }
        packed.put((byte) rest);
    }

    private static long getVarint(ByteBuffer packed) {
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
