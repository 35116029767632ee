package dev.equipoise.app.bundle;

import dev.equipoise.app.computing.ComputingThread;
import dev.equipoise.app.problem.Problem;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** Reads bundles, one at a time and on a thread of its own: a large one takes a second. */
@Component
class Unpacking implements AutoCloseable {

    /** Each of which may hold the bytes of the largest. */
    private static final int MOST_WAITING = 4;

    private final JsonMapper json;
    private final ComputingThread thread = new ComputingThread("unpacking", MOST_WAITING);

    Unpacking(JsonMapper json) {
        this.json = json;
    }

    /**
     * Waits for its turn, and for the bundle.
     *
     * @throws Problem {@code busy} where too many wait already, {@code invalid-bundle}
     */
    ForeignBundle read(byte[] zip) {
        return thread.call(() -> ForeignBundle.read(zip, json));
    }

    @Override
    public void close() {
        thread.close();
    }
}
