package dev.equipoise.launcher;

import java.net.URI;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Site that is alive for a number of checks and runs its closing action when it is closed. */
final class TestingSite implements Site {

    private final ServiceApi api;
    private final boolean outlivesCommand;
    private int checksLeft;
    private Runnable closingAction = () -> {};

    TestingSite(URI address, boolean outlivesCommand, int aliveChecks) {
        this.api = new ServiceApi(address, "token");
        this.outlivesCommand = outlivesCommand;
        this.checksLeft = aliveChecks;
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
        checksLeft--;
        if (checksLeft < 0) {
            throw new LabFailure("the site has ended");
        }
    }

    @Override
    public boolean outlivesCommand() {
        return outlivesCommand;
    }

    @Override
    public void beforeClosing(Runnable action) {
        closingAction = action;
    }

    @Override
    public void close() {
        closingAction.run();
        api.close();
    }
}
