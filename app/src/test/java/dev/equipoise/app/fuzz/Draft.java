package dev.equipoise.app.fuzz;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A request that is valid at first and that mutations change. */
final class Draft {

    private static final Pattern TOKEN =
            Pattern.compile("eq[pjw]_[A-Za-z0-9_-]{10,}|whsec_[A-Za-z0-9+/=]{10,}");
    private static final Pattern PASSWORD = Pattern.compile("(\"(?:password|old)\" ?: ?\")[^\"]*");
    private static final int PRINTED_BYTES = 4000;

    /** Length of path, query and headers that Tomcat's 8 KiB certainly hold, in characters. */
    private static final int MAX_HEAD = 7000;

    private final Operation operation;
    private final Map<String, String> path = new LinkedHashMap<>();
    private final Map<String, List<String>> query = new LinkedHashMap<>();
    private final Map<String, String> headers = new LinkedHashMap<>();
    private String method;
    private Caller caller;
    private @Nullable String type;
    private byte @Nullable [] body;
    private Runnable whenAccepted = () -> {};

    Draft(Operation operation, Caller caller) {
        this.operation = operation;
        this.method = operation.method();
        this.caller = caller;
    }

    Operation operation() {
        return operation;
    }

    String method() {
        return method;
    }

    Draft method(String other) {
        method = other;
        return this;
    }

    /** Tells whether the description has no operation of this method. */
    boolean isOfAnotherMethod() {
        return !method.equals(operation.method());
    }

    Draft by(Caller other) {
        caller = other;
        return this;
    }

    /** Sets the value of a placeholder of the path. */
    Draft at(String placeholder, String value) {
        path.put(placeholder, value);
        return this;
    }

    Draft query(String name, String... values) {
        query.put(name, List.of(values));
        return this;
    }

    boolean hasQuery(String name) {
        return query.containsKey(name);
    }

    Draft header(String name, String value) {
        headers.put(name, value);
        return this;
    }

    Draft json(String text) {
        return body("application/json", text.getBytes(StandardCharsets.UTF_8));
    }

    Draft body(@Nullable String contentType, byte[] bytes) {
        type = contentType;
        body = bytes.clone();
        return this;
    }

    /** Null for none. */
    @Nullable String type() {
        return type;
    }

    Draft type(@Nullable String other) {
        type = other;
        return this;
    }

    boolean hasBody() {
        return body != null;
    }

    /** Empty if there is none. */
    byte[] body() {
        return body == null ? new byte[0] : body.clone();
    }

    /** Sets what the service's acceptance of the request changes in the state of the test. */
    Draft whenAccepted(Runnable change) {
        whenAccepted = change;
        return this;
    }

    void accepted() {
        whenAccepted.run();
    }

    /** Returns all headers, those of the caller and the content type included. */
    Map<String, String> allHeaders() {
        Map<String, String> all = new LinkedHashMap<>(caller.headers());
        if (type != null) {
            all.put("Content-Type", type);
        }
        all.putAll(headers);
        return all;
    }

    /**
     * Tells whether Tomcat or Spring's firewall may reject the request before any filter of the
     * service: for encoded slashes, backslashes, semicolons, percent signs, control characters and
     * bytes that are not UTF-8 in the path, or for its length. Their answers are no problems.
     */
    boolean isRejectedByTheContainer() {
        return isTooLong()
                || path.values().stream()
                        .anyMatch(it -> it.codePoints().anyMatch(Draft::isRejectedInPaths));
    }

    private boolean isTooLong() {
        int length = allHeaders().values().stream().mapToInt(String::length).sum();
        return target().length() + length > MAX_HEAD;
    }

    private static boolean isRejectedInPaths(int point) {
        return point < 0x20 || isSurrogate(point) || "/\\;%".indexOf(point) >= 0;
    }

    /** Returns the encoded path with the query. */
    String target() {
        String target = Operation.API + operation.path();
        for (Map.Entry<String, String> each : path.entrySet()) {
            target = target.replace("{" + each.getKey() + "}", encoded(each.getValue()));
        }
        List<String> pairs = new ArrayList<>();
        query.forEach((name, values) ->
                values.forEach(it -> pairs.add(encoded(name) + "=" + encoded(it))));
        return pairs.isEmpty() ? target : target + "?" + String.join("&", pairs);
    }

    private static String encoded(String text) {
        StringBuilder url = new StringBuilder();
        text.codePoints().forEach(point -> append(point, url));
        return url.toString();
    }

    private static void append(int point, StringBuilder url) {
        if (point < 0x80 && (Character.isLetterOrDigit(point) || "-._~".indexOf(point) >= 0)) {
            url.append((char) point);
        } else {
            for (byte each : bytes(point)) {
                url.append("%%%02X".formatted(each & 0xff));
            }
        }
    }

    /** An unpaired surrogate becomes three bytes, which are not UTF-8. */
    private static byte[] bytes(int point) {
        if (!isSurrogate(point)) {
            return Character.toString(point).getBytes(StandardCharsets.UTF_8);
        }
        byte middle = (byte) (0x80 | ((point >> 6) & 0x3f));
        return new byte[] {(byte) 0xed, middle, (byte) (0x80 | (point & 0x3f))};
    }

    private static boolean isSurrogate(int point) {
        return point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
    }

    /** Returns the request as a command line, with variables in place of secrets. */
    @Override
    public String toString() {
        StringBuilder line = new StringBuilder("curl -X " + method);
        caller.headers().keySet().forEach(name -> line.append(option(name, "$" + caller.name())));
        if (type != null) {
            line.append(option("Content-Type", type));
        }
        headers.forEach((name, value) -> line.append(option(name, value)));
        line.append(" \"$URL").append(target()).append('"');
        if (body != null) {
            line.append(" --data-binary ").append(printed(body));
        }
        return withoutSecrets(line.toString());
    }

    static String withoutSecrets(String text) {
        String withoutTokens = TOKEN.matcher(text).replaceAll(Matcher.quoteReplacement("$TOKEN"));
        return PASSWORD.matcher(withoutTokens).replaceAll("$1...");
    }

    private static String option(String name, String value) {
        return " -H \"%s: %s\"".formatted(name, value);
    }

    private static String printed(byte[] bytes) {
        String more =
                bytes.length > PRINTED_BYTES
                        ? " # the beginning of %d bytes".formatted(bytes.length)
                        : "";
        byte[] begin = Arrays.copyOf(bytes, Math.min(bytes.length, PRINTED_BYTES));
        try {
            String text =
                    StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(begin)).toString();
            return "'" + text.replace("'", "'\\''") + "'" + more;
        } catch (CharacterCodingException _) {
            String base64 = Base64.getEncoder().encodeToString(begin);
            return "@<(echo %s | base64 -d)".formatted(base64) + more;
        }
    }
}
