package dev.equipoise.launcher;

import java.net.URI;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import tools.jackson.databind.JsonNode;

/** Service that runs already and has its own workers; it outlives the command. */
final class RemoteSite implements Site {

    private final ServiceApi api;
    private final AtomicReference<Runnable> closingAction = new AtomicReference<>(() -> {});
    private final AtomicBoolean closing = new AtomicBoolean();

    RemoteSite(URI address, String token) {
        this.api = new ServiceApi(address, token);
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(this::close));
    }

    @Override
    public ServiceApi api() {
        return api;
    }

    /** Does nothing: a run that needs more workers waits, and its wait reason says so. */
    @Override
    public void prepare(List<JsonNode> configurations) {}

    @Override
    public void profile(List<JsonNode> configurations) {
        throw new UsageError(
                "--profile applies to workers that this command starts; profile those of a service"
                        + " by POST /api/v1/workers/{id}/profiles");
    }

    @Override
    public void requireAlive() {
        if (closing.get()) {
            throw new LabFailure("the command is stopped");
        }
    }

    @Override
    public boolean outlivesCommand() {
        return true;
    }

    @Override
    public void beforeClosing(Runnable action) {
        closingAction.set(action);
    }

    @Override
    public void close() {
        if (!closing.getAndSet(true)) {
            closingAction.get().run();
            api.close();
        }
    }
}
