package dev.equipoise.performance.simulation;

/** What a frame costs from one rank to another: alpha + beta m for m bytes. */
public interface Links {

    /** Alpha: seconds until the first byte is there. */
    double latency(int from, int to);

    /** Beta, for which both ports are busy. */
    double secondsPerByte(int from, int to);

    /**
     * What a byte takes beyond that where something holds the link itself back: between the ports,
     * so that frames on other links pass it by.
     */
    default double heldSecondsPerByte(int from, int to) {
        return 0;
    }

    /**
     * All alike.
     *
     * @param latency in seconds
     */
    static Links uniform(double latency, double secondsPerByte) {
        return new Uniform(latency, secondsPerByte);
    }

    /** All alike. */
    record Uniform(double latency, double secondsPerByte) implements Links {

        public Uniform {
            if (!(latency >= 0) || !(secondsPerByte >= 0)) {
                throw new IllegalArgumentException(
                        "a link cannot cost %s s and %s s a byte"
                                .formatted(latency, secondsPerByte));
            }
        }

        @Override
        public double latency(int from, int to) {
            return latency;
        }

        @Override
        public double secondsPerByte(int from, int to) {
            return secondsPerByte;
        }
    }

    /** Of a whole frame, alone on its way. */
    default double seconds(int from, int to, double bytes) {
        return latency(from, to)
                + (secondsPerByte(from, to) + heldSecondsPerByte(from, to)) * bytes;
    }
}
