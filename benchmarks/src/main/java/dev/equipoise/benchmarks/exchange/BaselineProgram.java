package dev.equipoise.benchmarks.exchange;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Peer program that a user might choose instead.
 *
 * @param arguments after the number of ranks
 */
record BaselineProgram(String name, Path script, List<String> arguments) {

    /** Returns the peer programs of a folder that are set up. */
    static List<BaselineProgram> of(Path folder) {
        List<BaselineProgram> peers = new ArrayList<>();
        if (Files.isExecutable(Path.of(".peers", "venv", "bin", "python"))) {
            peers.add(new BaselineProgram("gloo", folder.resolve("gloo_allreduce"), List.of()));
        }
        if (Files.isExecutable(Path.of(".peers", "mpi_allreduce"))) {
            Path script = folder.resolve("mpi_allreduce");
            peers.add(new BaselineProgram("mpi-tcp", script, List.of("tcp")));
            peers.add(new BaselineProgram("mpi-shared-memory", script, List.of()));
        }
        return peers;
    }

    List<Figure> measure(int ranks) throws InterruptedException {
        List<String> all = new ArrayList<>(List.of(String.valueOf(ranks)));
        all.addAll(arguments);
        return RankProcesses.peer(script, all);
    }
}
