package dev.equipoise.agent.network.onednn;

import static org.bytedeco.dnnl.global.dnnl.dnnl_version;

import dev.equipoise.agent.network.step.Backend;
import dev.equipoise.agent.network.step.Compiler;
import dev.equipoise.agent.network.step.Device;
import dev.equipoise.agent.optimizer.Descent;
import java.util.Optional;
import org.bytedeco.dnnl.dnnl_version_t;

/** Backend with oneDNN. */
public record OneDnnBackend(String description) implements Backend {

    /**
     * Loads the native library.
     *
     * @throws LinkageError when there is none for this platform
     */
    public static OneDnnBackend load() {
        dnnl_version_t version = dnnl_version();
        return new OneDnnBackend(
                "oneDNN %d.%d.%d".formatted(version.major(), version.minor(), version.patch()));
    }

    @Override
    public Device device() {
        return Device.CPU;
    }

    @Override
    public Compiler compiler() {
        return new OneDnnCompiler();
    }

    @Override
    public Optional<Descent> descent() {
        return Optional.of(new ScaledSum());
    }
}
