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

/** Selects the backend when the agent starts. */
public final class Backends {
    private static final Logger log = LoggerFactory.getLogger(Backends.class);

    private Backends() {}

    /**
     * Sends JavaCPP's warnings to our log; one of them is about a version that we chose on purpose.
     * Limits native memory by the host's memory, not by a multiple of the heap.
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
     * Loads CUDA if the agent was built for it; otherwise oneDNN if it has a binary for this
     * platform, or ND4J's own operations.
     *
     * @throws BackendUnavailable when the agent was built for CUDA and CUDA does not work
     */
    public static Backend load() {
        configureNatives();
        return switch (Nd4jBackend.builtFor()) {
            case CUDA -> cuda();
            case CPU -> cpu();
        };
    }

    /** Never falls back to the CPU, which a user of a CUDA build would take for a slow card. */
    private static Backend cuda() {
        Backend backend = Nd4jBackend.onCuda();
        log.warn(
                "backend loaded: {}; its self-test has just passed, but the CUDA backend is new"
                        + " and was developed without a card",
                backend.description());
        return backend;
    }

    private static Backend cpu() {
        try {
            Backend backend = OneDnnBackend.load();
            log.info("backend loaded: {}", backend.description());
            return backend;
        } catch (LinkageError e) {
            Backend backend = new Nd4jBackend(Device.CPU);
            log.warn(
                    "backend loaded: {}, since oneDNN has no binary for this platform ({});"
                            + " training is several times slower",
                    backend.description(),
                    e.toString());
            return backend;
        }
    }
}
