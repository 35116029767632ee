package dev.equipoise.agent.network;

import com.sun.management.OperatingSystemMXBean;
import dev.equipoise.agent.network.nd4j.Nd4jBackend;
import dev.equipoise.agent.network.onednn.OneDnnBackend;
import dev.equipoise.agent.network.step.Backend;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Chooses what computes, once, when the agent starts. */
public final class Backends {
    private static final Logger LOG = LoggerFactory.getLogger(Backends.class);

    private Backends() {}

    /**
     * Warnings of JavaCPP go where ours go; one of them is about a version that we chose on
     * purpose. Native memory ends where the machine's does, and not at a multiple of the heap.
     */
    private static void configureNatives() {
        System.setProperty("org.bytedeco.javacpp.logger", "slf4j");
        long bytes =
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class)
                        .getTotalMemorySize();
        for (String limit : List.of("maxbytes", "maxphysicalbytes")) {
            String property = "org.bytedeco.javacpp." + limit;
            System.setProperty(property, System.getProperty(property, String.valueOf(bytes)));
        }
    }

    /** OneDNN where there is a binary for this platform, and ND4J's own operations elsewhere. */
    public static Backend load() {
        configureNatives();
        try {
            Backend backend = OneDnnBackend.load();
            LOG.info("backend loaded: {}", backend.description());
            return backend;
        } catch (LinkageError e) {
            Backend backend = new Nd4jBackend();
            LOG.warn(
                    "backend loaded: {}, as oneDNN has no binary for this platform ({}); training"
                            + " takes a multiple of the time",
                    backend.description(),
                    e.toString());
            return backend;
        }
    }
}
