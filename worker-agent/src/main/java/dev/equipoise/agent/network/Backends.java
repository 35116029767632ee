package dev.equipoise.agent.network;

import com.sun.management.OperatingSystemMXBean;
import dev.equipoise.agent.network.nd4j.Nd4jBackend;
import dev.equipoise.agent.network.onednn.OneDnnBackend;
import dev.equipoise.agent.network.step.Backend;
import dev.equipoise.agent.network.step.BackendKind;
import dev.equipoise.agent.network.step.BackendUnavailable;
import dev.equipoise.agent.network.step.Device;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.jspecify.annotations.Nullable;
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
     * Loads the default backend.
     *
     * @throws BackendUnavailable when the agent was built for CUDA and CUDA does not work
     */
    public static Backend load() {
        return load(null);
    }

    /**
     * Loads the chosen backend, or the default one: CUDA if the agent was built for it; otherwise
     * oneDNN if it has a binary for this platform, or ND4J's own operations.
     *
     * @param chosen null for the default
     * @throws BackendUnavailable when the chosen one does not work on this host, or CUDA in an
     *     agent that was built for it
     */
    public static Backend load(@Nullable BackendKind chosen) {
        return load(chosen, Nd4jBackend.builtFor());
    }

    static Backend load(@Nullable BackendKind chosen, Device builtFor) {
        configureNatives();
        return switch (builtFor) {
            case CUDA -> cuda(chosen);
            case CPU -> chosen == null ? fastest() : required(chosen);
        };
    }

    /** Never falls back to another one: the user studies the one that was chosen. */
    private static Backend required(BackendKind chosen) {
        Backend backend =
                switch (chosen) {
                    case ONEDNN -> oneDnn();
                    case ND4J -> Nd4jBackend.onCpu();
                };
        log.info("backend loaded: {}, as chosen", backend.description());
        return backend;
    }

    private static Backend oneDnn() {
        try {
            return OneDnnBackend.load();
        } catch (LinkageError e) {
            throw new BackendUnavailable(
                    "oneDNN has no binary for this platform (%s): choose nd4j".formatted(e), e);
        }
    }

    /** Never falls back to the CPU, which a user of a CUDA build would take for a slow card. */
    private static Backend cuda(@Nullable BackendKind chosen) {
        if (chosen == BackendKind.ONEDNN) {
            throw new BackendUnavailable(
                    "this agent is built for CUDA, on which ND4J computes, but onednn was chosen:"
                            + " omit the choice, or take an agent that is built for the CPU",
                    null);
        }
        Backend backend = Nd4jBackend.onCuda();
        log.warn(
                "backend loaded: {}; its self-test has just passed, but the CUDA backend is new"
                        + " and was developed without a card",
                backend.description());
        return backend;
    }

    private static Backend fastest() {
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
