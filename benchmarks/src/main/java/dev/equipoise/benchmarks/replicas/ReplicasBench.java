package dev.equipoise.benchmarks.replicas;

import dev.equipoise.agent.dataset.DatasetRegistry;
import dev.equipoise.agent.dataset.DatasetSettings;
import dev.equipoise.agent.network.Backends;
import dev.equipoise.agent.simulation.Simulation;
import dev.equipoise.agent.training.DivergedWeightsStore;
import dev.equipoise.benchmarks.BenchFailed;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.AssignmentId;
import dev.equipoise.protocol.ChannelKind;
import dev.equipoise.protocol.Clipping;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.Method;
import dev.equipoise.protocol.Observation;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.Schedule;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.TrainingPlan;
import dev.equipoise.protocol.dataset.DatasetSpec;
import dev.equipoise.protocol.dataset.Normalization;
import dev.equipoise.protocol.dataset.PublishedSpec;
import dev.equipoise.protocol.network.Loss;
import dev.equipoise.protocol.network.Preset;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.IntFunction;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Command {@code ./equipoise bench replicas}. */
@Command(
        name = "replicas",
        mixinStandardHelpOptions = true,
        description =
                "Trains 60 replicas of cifar-quick, then 210 and 512 of a perceptron with 407,050"
                        + " parameters, in this process on a virtual clock, with momentum, by BSP"
                        + " and by sparse gossip with error feedback. Reports the peak memory of"
                        + " the process, and exits with 1 if it is 8 GB or more. Linux only.")
public final class ReplicasBench implements Callable<Integer> {

    private static final double MAX_GIGABYTES = 8;
    private static final int BATCH = 20;
    private static final int ROUNDS = 4;
    private static final double KIB_PER_GIGABYTE = 1e9 / 1024;
    private static final double NANOS = 1e9;

    private record Lab(Preset preset, int replicas, IntFunction<DatasetSpec> dataset) {}

    private static final List<Lab> LABS =
            List.of(
                    new Lab(Preset.CIFAR_QUICK, 60, ReplicasBench::cifar),
                    new Lab(Preset.MLP_784_512_10, 210, ReplicasBench::mnist),
                    new Lab(Preset.MLP_784_512_10, 512, ReplicasBench::mnist));

    private static final Method BSP =
            new Method(
                    new Synchronization.Bsp(),
                    Topology.AllReduce.by(Topology.Algorithm.HALVING_DOUBLING),
                    new Compression.None());

    private static final Method SPARSE_GOSSIP =
            new Method(
                    new Synchronization.LocalSgd(
                            2,
                            Synchronization.Order.STEP_THEN_AVERAGE,
                            Synchronization.Momentum.LOCAL),
                    new Topology.Gossip(
                            new Topology.Partners.Linear(false),
                            Topology.Payload.UPDATE,
                            Topology.Mixing.UNIFORM,
                            0),
                    new Compression.TopK(0.05, true));

    private final Simulation simulation =
            new Simulation(
                    new DatasetRegistry(DatasetSettings.fromEnvironment(System.getenv())),
                    1,
                    Long.MAX_VALUE,
                    Backends.load(),
                    DivergedWeightsStore.fromEnvironment(System.getenv()),
                    (_, _) -> {});

    @Override
    public Integer call() throws InterruptedException {
        boolean reached = true;
        for (Lab lab : LABS) {
            reached &= fits(lab, "bsp", BSP);
            reached &= fits(lab, "local-sgd, gossip, top-k", SPARSE_GOSSIP);
        }
        return reached ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    private boolean fits(Lab lab, String label, Method method) throws InterruptedException {
        Cost cost = train(lab, method);
        System.out.printf(
                Locale.ROOT,
                "%3d x %-15s %-25s %3d rounds of %d samples each  %5.1f s  %.2f GB  %s%n",
                lab.replicas(),
                lab.preset().label(),
                label,
                ROUNDS,
                BATCH,
                cost.seconds(),
                cost.gigabytes(),
                cost.isAllowed() ? "reached" : "MISSED");
        return cost.isAllowed();
    }

    /** Time of a training, and peak memory of the process after it. */
    private record Cost(double seconds, double gigabytes) {

        boolean isAllowed() {
            return gigabytes < MAX_GIGABYTES;
        }
    }

    private Cost train(Lab lab, Method method) throws InterruptedException {
        long begun = System.nanoTime();
        simulation.run(
                new Assignment.Simulation(
                        AssignmentId.of(UUID.randomUUID()),
                        1,
                        RunId.of(UUID.randomUUID()),
                        plan(lab, method)),
                _ -> {});
        return new Cost((System.nanoTime() - begun) / NANOS, mostGigabytes());
    }

    private static TrainingPlan plan(Lab lab, Method method) {
        DatasetSpec dataset = lab.dataset().apply(lab.replicas() * BATCH * ROUNDS);
        return new TrainingPlan(
                dataset,
                lab.preset().architecture(),
                new Loss(Loss.Kind.SOFTMAX_CROSS_ENTROPY, Loss.Reduction.MEAN),
                new OptimizerSpec.Sgd(
                        0.01, 0.9, false, new Schedule.Constant(0), new Clipping.None()),
                1,
                Observation.every(1),
                1,
                TrainingPlan.EpochDivision.of(
                        Collections.nCopies(lab.replicas(), BATCH * ROUNDS), ROUNDS),
                method,
                ChannelKind.DIRECT,
                new Execution.Virtual(
                        List.of(Execution.Speed.of(500)), 0.05, new Execution.Link(50, 1000)),
                List.of(),
                List.of());
    }

    private static DatasetSpec cifar(int samples) {
        return new PublishedSpec.Cifar10(new Normalization.Unit(), samples);
    }

    private static DatasetSpec mnist(int samples) {
        return new PublishedSpec.Mnist(new Normalization.Unit(), samples);
    }

    /** Returns the peak memory of this process, including memory outside the heap. */
    private static double mostGigabytes() {
        try {
            return Files.readAllLines(Path.of("/proc/self/status")).stream()
                            .filter(line -> line.startsWith("VmHWM:"))
                            .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                            .findFirst()
                            .orElseThrow(() -> new BenchFailed("/proc/self/status has no VmHWM"))
                    / KIB_PER_GIGABYTE;
        } catch (IOException e) {
            throw new BenchFailed("cannot read /proc/self/status: " + e.getMessage(), e);
        }
    }
}
