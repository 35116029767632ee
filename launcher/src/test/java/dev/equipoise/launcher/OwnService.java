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
import java.util.function.IntFunction;

/** A service of a single test, as a process, with tokens that are known beforehand. */
record OwnService(Process process, ServiceEndpoint endpoint) implements AutoCloseable {

    static final String ADMINISTRATOR = "eqp_own-service-own-service-own-service-own-ser";
    static final String JOINING = "eqj_own-service-own-service-own-service-own-ser";

    private static final int FIRST_PORT = 20_000;
    private static final int END_PORT = 30_000;
    private static final int ATTEMPTS = 100;

    /**
     * Starts a service and returns when it is ready.
     *
     * @param folder folder of its checkpoints and its log
     * @param settings secret settings, as environment variables
     */
    static OwnService start(Path folder, Map<String, String> settings, String... options)
            throws IOException {
        return start(
                folder,
                port -> new ServiceEndpoint(URI.create("http://127.0.0.1:" + port), null),
                settings,
                options);
    }

    /**
     * Starts a service that the options give another address than usual.
     *
     * @param endpoint its address at a port, and its authority
     */
    static OwnService start(
            Path folder,
            IntFunction<ServiceEndpoint> endpoint,
            Map<String, String> settings,
            String... options)
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
        return ready(process, endpoint.apply(port));
    }

    /** Returns a started service once it answers, or ends it. */
    static OwnService ready(Process process, ServiceEndpoint endpoint) {
        var service = new OwnService(process, endpoint);
        try {
            ChaosLab.await(() ->
                    ServiceApi.isUp(endpoint)
                            ? ""
                            : "the service is not up; its process is alive: " + process.isAlive());
            return service;
        } catch (RuntimeException | Error failure) {
            service.close();
            throw failure;
        }
    }

    /**
     * Returns a free port below those that the system gives to outgoing connections, so that it
     * stays free while the service is down.
     */
    static int freePort() throws IOException {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST_PORT, END_PORT);
            try (var free = new ServerSocket(port)) {
                return free.getLocalPort();
            } catch (BindException busy) {
                // Try the next port.
            }
        }
        throw new IOException(
                "none of %d ports from %d to %d is free".formatted(ATTEMPTS, FIRST_PORT, END_PORT));
    }

    URI address() {
        return endpoint.address();
    }

    int port() {
        return address().getPort();
    }

    /** Returns a client with the token of an administrator. */
    ServiceApi api() {
        return endpoint.api(ADMINISTRATOR);
    }

    /** Asks the service to end before killing it, because it stops its embedded database. */
    @Override
    public void close() {
        process.destroy();
        process.onExit().completeOnTimeout(process, Patience.SECONDS, TimeUnit.SECONDS).join();
        process.destroyForcibly();
    }
}
