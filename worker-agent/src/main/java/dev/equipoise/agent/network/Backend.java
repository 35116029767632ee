package dev.equipoise.agent.network;

import org.nd4j.linalg.factory.Nd4j;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The native binary that computes, and whether it is the one that is fast at convolutions. */
public record Backend(boolean oneDnn, String build) {
    private static final Logger LOG = LoggerFactory.getLogger(Backend.class);

    /** Loads the binary where that has not happened yet, and says what it found. */
    public static Backend load() {
        String build = Nd4j.getBackend().buildInfo();
        Backend backend = new Backend(build.contains("HAVE_ONEDNN"), build.strip());
        if (backend.oneDnn()) {
            LOG.info("backend loaded: {}", backend.describe());
        } else {
            LOG.warn("backend loaded: {}", backend.describe());
        }
        return backend;
    }

    public String describe() {
        return oneDnn
                ? "ND4J on the CPU with oneDNN"
                : "ND4J on the CPU WITHOUT oneDNN: convolutions are about ten times slower; put the"
                        + " -onednn binary of nd4j-native on the class path";
    }
}
