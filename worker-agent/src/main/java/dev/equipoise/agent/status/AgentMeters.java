package dev.equipoise.agent.status;

import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.EpochFinished.Phases;
import dev.equipoise.protocol.EpochFinished.Traffic;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.RunReport.RoundReached;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.function.Consumer;

/**
 * Metrics of this agent since its start, from the events of its training; a round costs one
 * addition and no object. Any thread may call.
 */
public final class AgentMeters implements Consumer<RunReport> {

    private final PrometheusMeterRegistry meters =
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Counter rounds = counter("rounds", "Rounds that this agent has trained");
    private final Counter epochs = counter("epochs", "Epochs that this agent has trained");
    private final Counter samples = counter("samples", "Samples that this agent has trained on");
    private final Counter compute = phase("compute");
    private final Counter encode = phase("encode");
    private final Counter transfer = phase("transfer");
    private final Counter wait = phase("wait");
    private final Counter apply = phase("apply");
    private final Counter gradients = bytes("gradient");
    private final Counter weights = bytes("weights");
    private final Counter control = bytes("control");

    public AgentMeters(AgentStatus status) {
        Gauge.builder("equipoise.agent.reports.waiting", status, AgentStatus::waiting)
                .description("Events that the service has not confirmed")
                .register(meters);
        Gauge.builder("equipoise.agent.ready", status, it -> it.isReady() ? 1 : 0)
                .description("Whether the agent is in the lab and in its cluster")
                .register(meters);
        new JvmMemoryMetrics().bindTo(meters);
        new ProcessorMetrics().bindTo(meters);
    }

    private Counter counter(String name, String description) {
        return Counter.builder("equipoise.agent." + name).description(description).register(meters);
    }

    private Counter phase(String phase) {
        return Counter.builder("equipoise.agent.phase.seconds")
                .description("Seconds of the epochs of this agent, by phase")
                .tag("phase", phase)
                .register(meters);
    }

    private Counter bytes(String kind) {
        return Counter.builder("equipoise.agent.bytes")
                .description("Bytes that this agent has sent to its peers, by kind")
                .tag("kind", kind)
                .register(meters);
    }

    @Override
    public void accept(RunReport event) {
        if (event instanceof RoundReached) {
            rounds.increment();
        } else if (event instanceof EpochFinished finished) {
            add(finished);
        }
    }

    private void add(EpochFinished finished) {
        epochs.increment();
        samples.increment(finished.samples());
        Phases phases = finished.phases();
        compute.increment(phases.computeSeconds());
        encode.increment(phases.encodeSeconds());
        transfer.increment(phases.transferSeconds());
        wait.increment(phases.waitSeconds());
        apply.increment(phases.applySeconds());
        Traffic traffic = finished.traffic();
        gradients.increment((double) traffic.gradientBytes());
        weights.increment((double) traffic.weightBytes());
        control.increment((double) traffic.controlBytes());
    }

    /** Returns the metrics in Prometheus' text format. */
    String text() {
        return meters.scrape();
    }
}
