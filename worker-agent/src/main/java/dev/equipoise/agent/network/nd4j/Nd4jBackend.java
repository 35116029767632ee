package dev.equipoise.agent.network.nd4j;

import dev.equipoise.agent.network.step.Backend;
import dev.equipoise.agent.network.step.BackendKind;
import dev.equipoise.agent.network.step.BackendUnavailable;
import dev.equipoise.agent.network.step.Compiler;
import dev.equipoise.agent.network.step.Device;
import dev.equipoise.agent.optimizer.Descent;
import java.util.Optional;
import java.util.ServiceLoader;
import org.nd4j.linalg.factory.Nd4j;

/** Backend with ND4J's own operations. */
public record Nd4jBackend(Device device) implements Backend {
    private static final String CUDA = "org.nd4j.linalg.jcublas.JCublasBackend";
    private static final String RUNTIME = "org.bytedeco.cuda.global.cudart";

    /** Returns the device of the ND4J build in this agent, without loading a native library. */
    public static Device builtFor() {
        return ServiceLoader.load(org.nd4j.linalg.factory.Nd4jBackend.class).stream()
                        .anyMatch(it -> it.type().getName().equals(CUDA))
                ? Device.CUDA
                : Device.CPU;
    }

    /**
     * Loads ND4J for the processor.
     *
     * @throws BackendUnavailable when it has no binary for this platform, or its results are wrong
     */
    public static Nd4jBackend onCpu() {
        return tested(Device.CPU);
    }

    /**
     * Opens the host's only graphics card.
     *
     * @throws BackendUnavailable when there is no single card, its driver or libraries are missing,
     *     or its results are wrong
     */
    public static Nd4jBackend onCuda() {
        requireRuntime();
        return tested(Device.CUDA);
    }

    /** Checks that CUDA's runtime loads; ND4J would print a stack trace and hide the reason. */
    private static void requireRuntime() {
        try {
            Class.forName(RUNTIME);
        } catch (LinkageError | ClassNotFoundException e) {
            throw new BackendUnavailable(
                    "this agent is built for CUDA, whose driver or libraries are missing here: "
                            + rootCause(e).getMessage(),
                    e);
        }
    }

    /**
     * Returns the backend after its self-test.
     *
     * @throws BackendUnavailable when there is no such device or more than one, or its results are
     *     wrong
     */
    static Nd4jBackend tested(Device device) {
        try {
            int devices = Nd4j.getAffinityManager().getNumberOfDevices();
            if (devices != 1) {
                throw new BackendUnavailable(
                        "an agent computes on one device, but sees %d: select one in"
                                        .formatted(devices)
                                + " CUDA_VISIBLE_DEVICES, and start one agent for each",
                        null);
            }
            try (var operations = new Operations(device)) {
                BackendSelfTest.requireRightResults(operations);
            }
            return new Nd4jBackend(device);
        } catch (LinkageError | RuntimeException e) {
            if (e instanceof BackendUnavailable unavailable) {
                throw unavailable;
            }
            throw new BackendUnavailable(
                    "ND4J fails to compute on %s: %s".formatted(device, rootCause(e).getMessage()),
                    e);
        }
    }

    private static Throwable rootCause(Throwable failure) {
        Throwable cause = failure.getCause();
        return cause == null ? failure : rootCause(cause);
    }

    @Override
    public BackendKind kind() {
        return BackendKind.ND4J;
    }

    @Override
    public String description() {
        return switch (device) {
            case CPU -> "ND4J's own operations";
            case CUDA -> "ND4J's own operations on CUDA";
        };
    }

    @Override
    public Compiler compiler() {
        return new Nd4jCompiler(device);
    }

    @Override
    public Optional<Descent> descent() {
        return Optional.empty();
    }
}
