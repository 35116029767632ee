package dev.equipoise.app.run;

import dev.equipoise.app.run.RunEvents.Stored;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Writes server-sent events. Blocks while the reader does not read. */
final class EventWriter {

    private final OutputStream out;

    EventWriter(OutputStream out) {
        this.out = out;
    }

    /** One that is resumed after. */
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
     * One about the stream itself, which has no id.
     *
     * @param data JSON, in one line
     */
    void notice(String type, String data) throws IOException {
        write("event: %s\ndata: %s\n\n".formatted(type, data));
    }

    /** What readers pass over, so that both sides see that the other is there. */
    void comment(String text) throws IOException {
        write(": %s\n\n".formatted(text));
    }

    /** How soon a reader that has lost the stream should come again, in milliseconds. */
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
