package dev.equipoise.launcher;

import java.net.URI;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import tools.jackson.databind.JsonNode;

/** A service that somebody else runs, with workers of its own. */
final class RemoteSite implements Site {

    private final ServiceApi api;
    private final AtomicReference<Runnable> farewell = new AtomicReference<>(() -> {});
    private final AtomicBoolean closing = new AtomicBoolean();

    RemoteSite(URI address, String token) {
        this.api = new ServiceApi(address, token);
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(this::close));
    }

    @Override
    public ServiceApi api() {
        return api;
    }

    /** Where its workers do not suffice, the runs wait and say so. */
    @Override
    public void prepare(List<JsonNode> configurations) {}

    @Override
    public void profile(List<JsonNode> configurations) {
        throw new WrongInput(
                "--profile is for workers that this command starts; those of a service are asked by"
                        + " POST /api/v1/workers/{id}/profiles");
    }

    @Override
    public void requireAlive() {
        if (closing.get()) {
            throw new LabFailure("stopped");
        }
    }

    @Override
    public boolean outlivesCommand() {
        return true;
    }

    @Override
    public void beforeClosing(Runnable action) {
        farewell.set(action);
    }

    @Override
    public void close() {
        if (!closing.getAndSet(true)) {
            farewell.get().run();
            api.close();
        }
    }
}
