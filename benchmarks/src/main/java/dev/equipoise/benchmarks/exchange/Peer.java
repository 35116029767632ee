package dev.equipoise.benchmarks.exchange;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A program that a user would take instead.
 *
 * @param arguments behind the number of ranks
 */
record Peer(String name, Path script, List<String> arguments) {

    /** Of the folder, as far as they are set up. */
    static List<Peer> of(Path folder) {
        List<Peer> peers = new ArrayList<>();
        if (Files.isExecutable(Path.of(".peers", "venv", "bin", "python"))) {
            peers.add(new Peer("gloo", folder.resolve("gloo_allreduce"), List.of()));
        }
        if (Files.isExecutable(Path.of(".peers", "mpi_allreduce"))) {
            Path script = folder.resolve("mpi_allreduce");
            peers.add(new Peer("mpi-tcp", script, List.of("tcp")));
            peers.add(new Peer("mpi-shared-memory", script, List.of()));
        }
        return peers;
    }

    List<Figure> measure(int ranks) throws InterruptedException {
        List<String> all = new ArrayList<>(List.of(String.valueOf(ranks)));
        all.addAll(arguments);
        return RankProcesses.peer(script, all);
    }
}
