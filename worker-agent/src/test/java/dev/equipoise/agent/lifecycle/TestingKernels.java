package dev.equipoise.agent.lifecycle;

import dev.equipoise.agent.network.step.Backend;
import dev.equipoise.agent.network.step.BackendKind;
import dev.equipoise.agent.network.step.Binding;
import dev.equipoise.agent.network.step.Compiler;
import dev.equipoise.agent.network.step.Device;
import dev.equipoise.agent.network.step.Step;
import dev.equipoise.agent.network.step.Tensor;
import dev.equipoise.agent.optimizer.Descent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Records which kernels several agents of this process execute, and in which order. Each execution
 * is a moment; the agents' threads call it.
 */
final class TestingKernels {

    private final Map<String, List<Stretch>> stretches = new HashMap<>();
    private long moment;

    /** Executions of one kernel at one size without another kernel of the same agent in between. */
    record Stretch(String kind, int size, long first, long last) {

        /** Returns whether each began before the other ended. */
        boolean overlaps(Stretch other) {
            return first < other.last && other.first < last;
        }

        String kernel() {
            return kind + " " + size;
        }
    }

    synchronized List<Stretch> of(String agent) {
        return List.copyOf(stretches.getOrDefault(agent, List.of()));
    }

    private synchronized void executed(String agent, String kind, int size) {
        moment++;
        List<Stretch> own = stretches.computeIfAbsent(agent, _ -> new ArrayList<>());
        if (!own.isEmpty() && own.getLast().kernel().equals(kind + " " + size)) {
            own.add(new Stretch(kind, size, own.removeLast().first(), moment));
        } else {
            own.add(new Stretch(kind, size, moment, moment));
        }
    }

    /** Wraps a backend and records its products and softmaxes; a training step has one softmax. */
    Backend recording(String agent, Backend backend) {
        return new RecordingBackend(agent, backend);
    }

    private final class RecordingBackend implements Backend {

        private final String agent;
        private final Backend real;

        RecordingBackend(String agent, Backend real) {
            this.agent = agent;
            this.real = real;
        }

        @Override
        public BackendKind kind() {
            return real.kind();
        }

        @Override
        public String description() {
            return real.description();
        }

        @Override
        public Device device() {
            return real.device();
        }

        @Override
        public Compiler compiler() {
            return new RecordingCompiler(agent, real.compiler());
        }

        @Override
        public Optional<Descent> descent() {
            return real.descent();
        }
    }

    private final class RecordingCompiler implements Compiler {

        private final String agent;
        private final Compiler real;

        RecordingCompiler(String agent, Compiler real) {
            this.agent = agent;
            this.real = real;
        }

        @Override
        public boolean fusesRelu() {
            return real.fusesRelu();
        }

        @Override
        public Step step(Binding binding) {
            return real.step(binding);
        }

        @Override
        public Runnable softmax(Tensor scores, Tensor out, float factor) {
            return recorded("softmax", out, real.softmax(scores, out, factor));
        }

        @Override
        public Runnable multiply(Tensor left, Tensor right, Tensor out) {
            return recorded("product", out, real.multiply(left, right, out));
        }

        private Runnable recorded(String kind, Tensor out, Runnable kernel) {
            int size = out.length();
            return () -> {
                executed(agent, kind, size);
                kernel.run();
            };
        }

        @Override
        public void close() {
            real.close();
        }
    }
}
