package dev.equipoise.agent.network;

import com.sun.management.OperatingSystemMXBean;
import dev.equipoise.agent.network.nd4j.Nd4jBackend;
import dev.equipoise.agent.network.onednn.OneDnnBackend;
import dev.equipoise.agent.network.step.Backend;
import dev.equipoise.agent.network.step.BackendUnavailable;
import dev.equipoise.agent.network.step.Device;
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

    /**
     * CUDA where the agent was built for it; otherwise oneDNN where there is a binary for this
     * platform, and ND4J's own operations elsewhere.
     *
     * @throws BackendUnavailable where it was built for CUDA, and that does not work
     */
    public static Backend load() {
        configureNatives();
        return switch (Nd4jBackend.builtFor()) {
            case CUDA -> cuda();
            case CPU -> cpu();
        };
    }

    /** Never the CPU in its place: who built for CUDA would take it for a slow card. */
    private static Backend cuda() {
        Backend backend = Nd4jBackend.onCuda();
        LOG.warn(
                "backend loaded: {}; its results were right when tried just now, but this way of"
                        + " computing is new, and was made without a card at hand",
                backend.description());
        return backend;
    }

    private static Backend cpu() {
        try {
            Backend backend = OneDnnBackend.load();
            LOG.info("backend loaded: {}", backend.description());
            return backend;
        } catch (LinkageError e) {
            Backend backend = new Nd4jBackend(Device.CPU);
            LOG.warn(
                    "backend loaded: {}, as oneDNN has no binary for this platform ({}); training"
                            + " takes a multiple of the time",
                    backend.description(),
                    e.toString());
            return backend;
        }
    }
}
