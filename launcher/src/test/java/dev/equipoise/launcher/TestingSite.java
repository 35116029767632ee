package dev.equipoise.launcher;

import dev.equipoise.launcher.interrupt.NoRuns;
import dev.equipoise.launcher.interrupt.OpenRuns;
import java.net.URI;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Site that is alive for a number of checks, and leaves or cancels open runs when it is closed. */
final class TestingSite implements Site {

    private final ServiceApi api;
    private final boolean outlivesCommand;
    private int checksLeft;
    private OpenRuns open = new NoRuns();

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
    public String project() {
        return "p";
    }

    @Override
    public void atEnd(OpenRuns runs) {
        open = runs;
    }

    @Override
    public void close() {
        if (outlivesCommand) {
            open.leave();
        } else {
            open.cancel();
        }
        api.close();
    }
}
