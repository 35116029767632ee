package dev.equipoise.launcher;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The lab of {@code ./equipoise up}: a service and three workers, until it is closed. */
final class StandingLab implements AutoCloseable {

    private final TestingProcess process;
    private final List<ProcessHandle> children;
    private final URI link;
    private final URI address;
    private final String token;

    private StandingLab(TestingProcess process) throws IOException {
        this.process = process;
        link = URI.create(process.awaitLine("(http\\S+/sign-in#\\S+)"));
        address = URI.create(process.awaitLine("export EQUIPOISE_URL=(\\S+)"));
        token = process.awaitLine("export EQUIPOISE_TOKEN=(\\S+)");
        children = process.descendants();
    }

    /** Starts a lab and returns when its workers see one another. */
    static StandingLab start(Path data) throws IOException {
        return start(TestingCommand.launch("up", "--data=" + data));
    }

    /** Starts a lab by a command, and returns when its workers see one another. */
    static StandingLab start(List<String> command) throws IOException {
        TestingProcess process = TestingCommand.start(command, Map.of());
        try {
            return new StandingLab(process);
        } catch (IOException | RuntimeException | Error failure) {
            process.close();
            throw failure;
        }
    }

    /** Returns the link that signs one browser in. */
    URI link() {
        return link;
    }

    URI address() {
        return address;
    }

    /** Returns the environment of commands that use this lab. */
    Map<String, String> environment() {
        return Map.of("EQUIPOISE_URL", address.toString(), "EQUIPOISE_TOKEN", token);
    }

    ServiceApi api() {
        return new ServiceApi(address, token);
    }

    TestingProcess process() {
        return process;
    }

    /** Returns the service and the agents. */
    List<ProcessHandle> childProcesses() {
        return children;
    }

    @Override
    public void close() {
        process.close();
        // Processes that should have ended with the lab must not load the machine.
        children.forEach(ProcessHandle::destroyForcibly);
    }
}
