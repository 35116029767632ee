package dev.equipoise.launcher;

import java.io.PrintStream;
import java.net.URI;
import java.util.Map;
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

    /** Prints how to use the lab and waits until the process is stopped. */
    static void keep(LocalLab lab, PrintStream out) throws InterruptedException {
        out.print(usage(lab.address(), lab.token(), signInCode(lab)));
        new CountDownLatch(1).await();
    }

    private static String signInCode(LocalLab lab) {
        return lab.api().post("sign-in-links", Map.of()).path("code").asString();
    }

    /**
     * Returns the link to the dashboard, and the lines that another terminal needs to run a
     * definition in the lab.
     *
     * @param code one-time code that signs a browser in
     */
    static String usage(URI address, String token, String code) {
        return """

        To open the dashboard, follow this link once, within an hour:

        %3$s

        To run a definition, paste these lines into another terminal:

        export EQUIPOISE_URL=%1$s
        export EQUIPOISE_TOKEN=%2$s
        ./equipoise run experiment.yaml

        There, ./equipoise open prints another link.
        Ctrl-C stops the service and its workers.
        """
                .formatted(address, token, DashboardAddress.ofSignIn(address, code));
    }
}
