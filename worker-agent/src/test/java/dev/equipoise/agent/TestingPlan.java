package dev.equipoise.agent;

import dev.equipoise.protocol.ChannelKind;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.Grouping;
import dev.equipoise.protocol.LinkLimit;
import dev.equipoise.protocol.MeasuredLink;
import dev.equipoise.protocol.Method;
import dev.equipoise.protocol.Observation;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.TrainingPlan;
import dev.equipoise.protocol.TrainingPlan.EpochDivision;
import dev.equipoise.protocol.dataset.DatasetSpec;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Layer;
import dev.equipoise.protocol.network.Loss;
import dev.equipoise.protocol.network.Shape;
import java.util.Collections;
import java.util.List;

/** Plans for tests; by default BSP over a ring for one epoch. */
public final class TestingPlan {

    public static final Method BSP =
            new Method(
                    new Synchronization.Bsp(),
                    Topology.AllReduce.by(Topology.Algorithm.RING),
                    new Compression.None());

    private TestingPlan() {}

    public static TrainingPlan of(
            DatasetSpec dataset,
            Architecture network,
            OptimizerSpec optimizer,
            EpochDivision division) {
        return new TrainingPlan(
                dataset,
                network,
                new Loss(Loss.Kind.SOFTMAX_CROSS_ENTROPY, Loss.Reduction.MEAN),
                optimizer,
                1,
                Observation.every(1),
                1,
                division,
                BSP,
                ChannelKind.DIRECT,
                new Execution.Real(),
                List.of(),
                List.of());
    }

    /** Returns a plan for this many ranks with one sample each. */
    public static TrainingPlan tiny(int ranks) {
        return of(
                new DatasetSpec.Synthetic(List.of(2, 2, 1), 2, ranks, 1, ranks),
                new Architecture(
                        "tiny",
                        new Shape.Image(2, 2, 1),
                        List.of(new Layer.Flatten(), new Layer.Dense(2))),
                new OptimizerSpec.Sgd(0.1),
                EpochDivision.of(Collections.nCopies(ranks, 1), 1));
    }

    public static TrainingPlan with(TrainingPlan plan, Method method) {
        return with(plan, plan.loss(), plan.epochs(), plan.observation(), method, plan.links());
    }

    public static TrainingPlan with(TrainingPlan plan, Loss loss) {
        return with(plan, loss, plan.epochs(), plan.observation(), plan.method(), plan.links());
    }

    public static TrainingPlan with(TrainingPlan plan, int epochs) {
        return with(plan, plan.loss(), epochs, plan.observation(), plan.method(), plan.links());
    }

    public static TrainingPlan with(TrainingPlan plan, Observation observation) {
        return with(plan, plan.loss(), plan.epochs(), observation, plan.method(), plan.links());
    }

    private static TrainingPlan with(
            TrainingPlan plan,
            Loss loss,
            int epochs,
            Observation observation,
            Method method,
            List<MeasuredLink> links) {
        return new TrainingPlan(
                plan.dataset(),
                plan.network(),
                loss,
                plan.optimizer(),
                epochs,
                observation,
                plan.seed(),
                plan.division(),
                method,
                plan.channel(),
                plan.execution(),
                plan.limits(),
                links);
    }

    public static TrainingPlan with(TrainingPlan plan, Execution execution) {
        return new TrainingPlan(
                plan.dataset(),
                plan.network(),
                plan.loss(),
                plan.optimizer(),
                plan.epochs(),
                plan.observation(),
                plan.seed(),
                plan.division(),
                plan.method(),
                plan.channel(),
                execution,
                plan.limits(),
                plan.links());
    }

    public static TrainingPlan following(TrainingPlan plan, List<MeasuredLink> links) {
        var method =
                new Method(
                        plan.method().synchronization(),
                        new Topology.AllReduce(Topology.Algorithm.RING, Topology.RingOrder.BY_LINK),
                        plan.method().compression());
        return with(
                plan, plan.loss(), plan.epochs(), plan.observation(), method, List.copyOf(links));
    }

    public static TrainingPlan limited(TrainingPlan plan, LinkLimit limit) {
        return limited(plan, List.of(limit));
    }

    public static TrainingPlan limited(TrainingPlan plan, List<LinkLimit> limits) {
        return with(plan, plan.execution(), limits);
    }

    public static TrainingPlan on(TrainingPlan plan, Execution execution) {
        return with(plan, execution, plan.limits());
    }

    public static TrainingPlan in(TrainingPlan plan, Grouping grouping) {
        return new TrainingPlan(
                plan.dataset(),
                plan.network(),
                plan.loss(),
                plan.optimizer(),
                plan.epochs(),
                plan.observation(),
                plan.seed(),
                plan.division().in(grouping),
                plan.method(),
                plan.channel(),
                plan.execution(),
                plan.limits(),
                plan.links());
    }

    private static TrainingPlan with(
            TrainingPlan plan, Execution execution, List<LinkLimit> limits) {
        return new TrainingPlan(
                plan.dataset(),
                plan.network(),
                plan.loss(),
                plan.optimizer(),
                plan.epochs(),
                plan.observation(),
                plan.seed(),
                plan.division(),
                plan.method(),
                plan.channel(),
                execution,
                limits,
                plan.links());
    }
}
