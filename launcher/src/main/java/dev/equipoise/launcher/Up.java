package dev.equipoise.launcher;

import java.io.PrintStream;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Starts a lab on this machine and keeps it until stopped. */
@Command(
        name = "up",
        description = "Starts a service and three unequal workers on this machine, until stopped.",
        mixinStandardHelpOptions = true)
public final class Up implements Callable<Integer> {

    @Mixin private final LabOptions options = new LabOptions();

    @Override
    public Integer call() throws InterruptedException {
        options.check();
        Progress progress = Progress.onStandardOutput();
        try (LocalLab lab = LocalLab.start(options, LocalWorker.UNEQUAL_WORKERS, progress)) {
            keep(lab, System.out);
        }
        return 0;
    }

    /** Prints the address of the lab and waits until the process is stopped. */
    static void keep(LocalLab lab, PrintStream out) throws InterruptedException {
        out.printf(
                "%nThe service stays up at %s%nToken: %s%nWorkers have the label lab=%s. Stop with"
                        + " Ctrl-C.%n",
                lab.address(), lab.token(), lab.id());
        new CountDownLatch(1).await();
    }
}
