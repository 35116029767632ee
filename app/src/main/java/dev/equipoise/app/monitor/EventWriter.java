package dev.equipoise.app.monitor;

import dev.equipoise.app.telemetry.EventLog.Stored;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Writes server-sent events. Blocks while the reader does not read. */
final class EventWriter {

    private final OutputStream out;

    EventWriter(OutputStream out) {
        this.out = out;
    }

    /** Writes an event with its id, after which a reader can resume. */
    void event(Stored event) throws IOException {
        write(
                """
                id: %d
                event: %s
                data: {"id":%d,"at":"%s","event":%s}

                """
                        .formatted(event.id(), event.type(), event.id(), event.at(), event.body()));
    }

    /**
     * Writes an event about the stream itself, without an id.
     *
     * @param data JSON, in one line
     */
    void notice(String type, String data) throws IOException {
        write("event: %s\ndata: %s\n\n".formatted(type, data));
    }

    /** Writes a comment, which readers ignore; it shows each side that the other one is alive. */
    void comment(String text) throws IOException {
        write(": %s\n\n".formatted(text));
    }

    /** Tells the reader how many milliseconds to wait before it reconnects. */
    void retryAfter(int milliseconds) throws IOException {
        write("retry: %d\n\n".formatted(milliseconds));
    }

    void flush() throws IOException {
        out.flush();
    }

    private void write(String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }
}
