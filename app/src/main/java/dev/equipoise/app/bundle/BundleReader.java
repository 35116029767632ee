package dev.equipoise.app.bundle;

import dev.equipoise.app.computing.ComputeThread;
import dev.equipoise.app.problem.Problem;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** Reads bundles one at a time, on a separate thread, since a large one takes a second. */
@Component
class BundleReader implements AutoCloseable {

    /** The maximum number of waiting bundles, each of which may have the maximum size. */
    private static final int MAX_WAITING = 4;

    private final JsonMapper json;
    private final ComputeThread thread = new ComputeThread("unpacking", MAX_WAITING);

    BundleReader(JsonMapper json) {
        this.json = json;
    }

    /**
     * Waits for the thread and reads the bundle.
     *
     * @throws Problem {@code busy} if too many bundles are waiting, {@code invalid-bundle} if the
     *     bundle is invalid
     */
    ImportedBundle read(byte[] zip) {
        return thread.call(() -> ImportedBundle.read(zip, json));
    }

    @Override
    public void close() {
        thread.close();
    }
}
