package dev.equipoise.agent.network.nd4j;

import dev.equipoise.agent.network.step.Backend;
import dev.equipoise.agent.network.step.BackendUnavailable;
import dev.equipoise.agent.network.step.Compiler;
import dev.equipoise.agent.network.step.Device;
import dev.equipoise.agent.optimizer.Descent;
import java.util.Optional;
import java.util.ServiceLoader;
import org.nd4j.linalg.factory.Nd4j;

/** Computes with ND4J's own operations. */
public record Nd4jBackend(Device device) implements Backend {
    private static final String CUDA = "org.nd4j.linalg.jcublas.JCublasBackend";
    private static final String RUNTIME = "org.bytedeco.cuda.global.cudart";

    /** What the ND4J in this agent is made for; asks no device yet, and loads no native library. */
    public static Device builtFor() {
        return ServiceLoader.load(org.nd4j.linalg.factory.Nd4jBackend.class).stream()
                        .anyMatch(it -> it.type().getName().equals(CUDA))
                ? Device.CUDA
                : Device.CPU;
    }

    /**
     * On the machine's only card.
     *
     * @throws BackendUnavailable where there is no such card, or what drives it is missing, or its
     *     results are wrong
     */
    public static Nd4jBackend onCuda() {
        requireRuntime();
        return tried(Device.CUDA);
    }

    /** Without it ND4J would print where in its code it failed, and not tell the reason. */
    private static void requireRuntime() {
        try {
            Class.forName(RUNTIME);
        } catch (LinkageError | ClassNotFoundException e) {
            throw new BackendUnavailable(
                    "this agent is built for CUDA, whose driver or libraries are missing here: "
                            + root(e).getMessage(),
                    e);
        }
    }

    /**
     * Once ND4J has found its device and has computed there what is known.
     *
     * @throws BackendUnavailable where there is no such device, or more than one to choose from, or
     *     results are wrong
     */
    static Nd4jBackend tried(Device device) {
        try {
            int devices = Nd4j.getAffinityManager().getNumberOfDevices();
            if (devices != 1) {
                throw new BackendUnavailable(
                        "an agent computes on one device, but sees %d: leave it one in"
                                        .formatted(devices)
                                + " CUDA_VISIBLE_DEVICES, and start an agent for each",
                        null);
            }
            try (var operations = new Operations(device)) {
                Trial.requireRightResults(operations);
            }
            return new Nd4jBackend(device);
        } catch (LinkageError | RuntimeException e) {
            if (e instanceof BackendUnavailable unavailable) {
                throw unavailable;
            }
            throw new BackendUnavailable(
                    "ND4J does not compute on %s here: %s".formatted(device, root(e).getMessage()),
                    e);
        }
    }

    private static Throwable root(Throwable failure) {
        Throwable cause = failure.getCause();
        return cause == null ? failure : root(cause);
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
