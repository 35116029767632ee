package dev.equipoise.app.webhook;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Request of HTTP/1.1 (RFC 9112) of which only the status of the answer counts. */
final class WebhookRequest {

    /** Limit of the status lines and headers that are read, in bytes. */
    static final int MAX_HEAD_BYTES = 16_384;

    private static final Pattern STATUS_LINE = Pattern.compile("HTTP/1\\.[01] ([1-5]\\d\\d)( .*)?");

    private final byte[] head;
    private final byte[] body;

    private WebhookRequest(byte[] head, byte[] body) {
        this.head = head;
        this.body = body;
    }

    /**
     * Creates a POST of a JSON body.
     *
     * @param headers without line breaks
     */
    static WebhookRequest of(WebhookUrl url, Map<String, String> headers, String body) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        StringBuilder head = new StringBuilder();
        head.append("POST ").append(url.target()).append(" HTTP/1.1\r\n");
        append(head, "Host", url.authority());
        append(head, "User-Agent", "Equipoise");
        append(head, "Content-Type", "application/json");
        append(head, "Content-Length", Integer.toString(bytes.length));
        append(head, "Connection", "close");
        headers.forEach((name, value) -> append(head, name, value));
        head.append("\r\n");
        return new WebhookRequest(head.toString().getBytes(StandardCharsets.US_ASCII), bytes);
    }

    private static void append(StringBuilder head, String name, String value) {
        head.append(name).append(": ").append(value).append("\r\n");
    }

    /**
     * Sends the request and returns the status of the answer, of which nothing else is read.
     *
     * @throws IOException if the connection ends before, or the answer is no HTTP/1.1
     */
    int send(Socket socket) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(head);
        out.write(body);
        out.flush();
        return status(socket.getInputStream());
    }

    /** Reads the status of the final response, after interim ones such as 103 (Early Hints). */
    static int status(InputStream in) throws IOException {
        var lines = new HeadLines(new BufferedInputStream(in));
        int status = statusOf(lines.next());
        while (status / 100 == 1) {
            while (!lines.next().isEmpty()) {
                // Headers of an interim response.
            }
            status = statusOf(lines.next());
        }
        return status;
    }

    private static int statusOf(String line) throws IOException {
        Matcher status = STATUS_LINE.matcher(line);
        if (!status.matches()) {
            throw new IOException("the receiver does not speak HTTP/1.1");
        }
        return Integer.parseInt(status.group(1));
    }

    /** Lines of heads, up to the limit of their bytes. */
    private static final class HeadLines {

        private final InputStream in;
        private int read;

        HeadLines(InputStream in) {
            this.in = in;
        }

        /** Reads a line without its end. */
        String next() throws IOException {
            StringBuilder line = new StringBuilder();
            for (int each = readByte(); each != '\n'; each = readByte()) {
                line.append((char) each);
            }
            boolean endsWithReturn = !line.isEmpty() && line.charAt(line.length() - 1) == '\r';
            return endsWithReturn ? line.substring(0, line.length() - 1) : line.toString();
        }

        private int readByte() throws IOException {
            int each = in.read();
            if (each < 0) {
                throw new IOException("the receiver closed the connection");
            }
            read++;
            if (read > MAX_HEAD_BYTES) {
                throw new IOException(
                        "the head of the answer has more than %d bytes".formatted(MAX_HEAD_BYTES));
            }
            return each;
        }
    }
}
