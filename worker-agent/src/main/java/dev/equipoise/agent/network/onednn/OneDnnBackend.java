package dev.equipoise.agent.network.onednn;

import static org.bytedeco.dnnl.global.dnnl.dnnl_get_effective_cpu_isa;
import static org.bytedeco.dnnl.global.dnnl.dnnl_version;

import dev.equipoise.agent.network.step.Backend;
import dev.equipoise.agent.network.step.BackendKind;
import dev.equipoise.agent.network.step.Compiler;
import dev.equipoise.agent.network.step.Device;
import dev.equipoise.agent.optimizer.Descent;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.bytedeco.dnnl.dnnl_version_t;
import org.bytedeco.dnnl.global.dnnl.cpu_isa;

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

    /**
     * Returns the instruction set that oneDNN uses, which {@code ONEDNN_MAX_CPU_ISA} may limit;
     * empty if oneDNN does not name it, as on processors other than x86.
     */
    @Override
    public Optional<String> instructionSet() {
        int effective = dnnl_get_effective_cpu_isa();
        return Arrays.stream(cpu_isa.values())
                .filter(it -> it != cpu_isa.isa_default && it.value == effective)
                .map(it -> it.name().toUpperCase(Locale.ROOT))
                .reduce((_, last) -> last);
    }

    @Override
    public BackendKind kind() {
        return BackendKind.ONEDNN;
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
