package dev.equipoise.performance.simulation;

/** Hockney model of the links: a frame of m bytes costs alpha + beta m seconds. */
public interface Links {

    /** Alpha: latency in seconds. */
    double latency(int from, int to);

    /** Beta: seconds per byte, for which both ports are busy. */
    double secondsPerByte(int from, int to);

    /**
     * Returns the additional seconds per byte of a shaped link. Its frames queue between the ports,
     * so that frames on other links pass.
     */
    default double heldSecondsPerByte(int from, int to) {
        return 0;
    }

    /**
     * Creates links of equal cost.
     *
     * @param latency in seconds
     */
    static Links uniform(double latency, double secondsPerByte) {
        return new Uniform(latency, secondsPerByte);
    }

    /** Links of equal cost. */
    record Uniform(double latency, double secondsPerByte) implements Links {

        public Uniform {
            if (!(latency >= 0) || !(secondsPerByte >= 0)) {
                throw new IllegalArgumentException(
                        "link costs of %s s and %s s a byte are out of range: at least 0"
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

    /** Returns the seconds of one frame without contention. */
    default double seconds(int from, int to, double bytes) {
        return latency(from, to)
                + (secondsPerByte(from, to) + heldSecondsPerByte(from, to)) * bytes;
    }
}
