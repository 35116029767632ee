package dev.equipoise.launcher;

import dev.equipoise.testing.Patience;
import java.io.IOException;
import java.net.BindException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** A service of a test's own, as a process, which takes tokens that are known beforehand. */
record OwnService(Process process, URI address) implements AutoCloseable {

    static final String ADMINISTRATOR = "eqp_own-service-own-service-own-service-own-ser";
    static final String JOINING = "eqj_own-service-own-service-own-service-own-ser";

    private static final int FIRST_PORT = 20_000;
    private static final int END_PORT = 30_000;
    private static final int ATTEMPTS = 100;

    /**
     * Returns when it is ready.
     *
     * @param folder has its checkpoints and its log
     * @param settings those that are secret
     */
    static OwnService start(Path folder, Map<String, String> settings, String... options)
            throws IOException {
        int port = freePort();
        Map<String, String> environment = new HashMap<>(settings);
        environment.put("EQUIPOISE_ACCOUNT_ADMINISTRATORTOKEN", ADMINISTRATOR);
        environment.put("EQUIPOISE_ACCOUNT_JOINTOKEN", JOINING);
        List<String> arguments = new ArrayList<>(List.of("service", "--server.port=" + port));
        arguments.add("--equipoise.checkpoint.folder=" + folder.resolve("checkpoints"));
        arguments.addAll(List.of(options));
        Process process =
                TestingCommand.startIn(
                        folder,
                        "service-" + port,
                        List.of(),
                        environment,
                        arguments.toArray(String[]::new));
        var service = new OwnService(process, URI.create("http://127.0.0.1:" + port));
        try {
            ChaosLab.await(() ->
                    ServiceApi.isUp(service.address)
                            ? ""
                            : "the service is not up; it lives: " + process.isAlive());
            return service;
        } catch (RuntimeException | Error failure) {
            service.close();
            throw failure;
        }
    }

    /**
     * A port that stays free while the service is away: below those that the system gives to
     * outgoing connections.
     */
    static int freePort() throws IOException {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST_PORT, END_PORT);
            try (var free = new ServerSocket(port)) {
                return free.getLocalPort();
            } catch (BindException busy) {
                // The next one, then.
            }
        }
        throw new IOException(
                "none of %d ports from %d to %d is free".formatted(ATTEMPTS, FIRST_PORT, END_PORT));
    }

    int port() {
        return address.getPort();
    }

    /** For an administrator. */
    ServiceApi api() {
        return new ServiceApi(address, ADMINISTRATOR);
    }

    /** Politely first, as a service ends the database that it brings along. */
    @Override
    public void close() {
        process.destroy();
        process.onExit().completeOnTimeout(process, Patience.SECONDS, TimeUnit.SECONDS).join();
        process.destroyForcibly();
    }
}
