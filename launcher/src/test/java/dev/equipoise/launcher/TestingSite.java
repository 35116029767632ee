package dev.equipoise.launcher;

import java.net.URI;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** A site that is alive for so many looks; what it shall do before closing it does on closing. */
final class TestingSite implements Site {

    private final ServiceApi api;
    private final boolean outlivesCommand;
    private int looksLeft;
    private Runnable farewell = () -> {};

    TestingSite(URI address, boolean outlivesCommand, int looks) {
        this.api = new ServiceApi(address, "token");
        this.outlivesCommand = outlivesCommand;
        this.looksLeft = looks;
    }

    @Override
    public ServiceApi api() {
        return api;
    }

    @Override
    public void prepare(List<JsonNode> configurations) {}

    @Override
    public void profile(List<JsonNode> configurations) {}

    @Override
    public void requireAlive() {
        looksLeft--;
        if (looksLeft < 0) {
            throw new LabFailure("the site is gone");
        }
    }

    @Override
    public boolean outlivesCommand() {
        return outlivesCommand;
    }

    @Override
    public void beforeClosing(Runnable action) {
        farewell = action;
    }

    @Override
    public void close() {
        farewell.run();
        api.close();
    }
}
