package dev.equipoise.app.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingLab;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

@RunningService
class DashboardIT {

    /** Accept header of Chromium for a page. */
    private static final String BROWSER = "text/html,application/xhtml+xml,*/*;q=0.8";

    private static final Pattern SCRIPT = Pattern.compile("src=\"(/assets/[^\"]+\\.js)\"");

    @Autowired private TestingLab lab;

    @LocalServerPort private int port;

    private final HttpClient http = HttpClient.newHttpClient();

    @ParameterizedTest
    @ValueSource(strings = {"/", "/runs", "/runs/17?tab=log", "/lab/projects/3", "/no/such/page"})
    void pageIsServedAtEveryAddressOfABrowser(String path) throws Exception {
        var page = get(path, BROWSER, "identity");

        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("Content-Type").orElseThrow()).startsWith("text/html");
        assertThat(page.headers().firstValue("Cache-Control")).hasValue("no-cache");
        // The files of a later version have the same time.
        assertThat(page.headers().firstValue("Last-Modified")).isEmpty();
        assertThat(page.headers().firstValue("Content-Security-Policy")).isPresent();
        assertThat(text(page)).contains("<div id=\"root\">");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/runs/17", "/favicon.svg", "/licenses.md"})
    void unchangedFileIsNotSentAgain(String path) throws Exception {
        String tag = get(path, BROWSER, "identity").headers().firstValue("ETag").orElseThrow();

        assertThat(statusFor(path, tag)).isEqualTo(304);
        assertThat(statusFor(path, "\"another-version\"")).isEqualTo(200);
    }

    /** Returns the status of the answer to a browser that has a file with this tag. */
    private int statusFor(String path, String tag) throws IOException, InterruptedException {
        return http.send(
                        HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                                .header("Accept", BROWSER)
                                .header("If-None-Match", tag)
                                .build(),
                        HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    /** Some programs pass on an address without escaping it; Java's own client rejects it. */
    @Test
    void unescapedAddressIsServed() throws Exception {
        try (Socket browser = new Socket("localhost", port)) {
            browser.getOutputStream()
                    .write(
                            """
                            GET /runs?state=[%%22RUNNING%%22]&only={a|b} HTTP/1.1\r
                            Host: localhost\r
                            Accept: %s\r
                            Connection: close\r
                            \r
                            """
                                    .formatted(BROWSER)
                                    .getBytes(StandardCharsets.US_ASCII));

            assertThat(new String(browser.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("HTTP/1.1 200 ")
                    .contains("<div id=\"root\">");
        }
    }

    @Test
    void assetIsCachedForeverAndCompressed() throws Exception {
        var script = SCRIPT.matcher(text(get("/", BROWSER, "identity")));
        assertThat(script.find()).isTrue();

        var plain = get(script.group(1), "*/*", "identity");
        var compressed = get(script.group(1), "*/*", "gzip, deflate");

        assertThat(plain.headers().firstValue("Cache-Control"))
                .hasValue("max-age=31536000, immutable");
        assertThat(compressed.headers().firstValue("Content-Encoding")).hasValue("gzip");
        assertThat(compressed.headers().firstValue("Vary").orElseThrow())
                .contains("Accept-Encoding");
        assertThat(compressed.body().length).isLessThan(plain.body().length / 2);
    }

    @Test
    void missingScriptIsNotFound() throws Exception {
        assertThat(get("/assets/index-old.js", "*/*", "identity").statusCode()).isEqualTo(404);
    }

    @Test
    void unknownApiCallIsNotFound() {
        lab.administrator()
                .withHeader("Accept", BROWSER)
                .get("/no-such-call")
                .problem(404, "not-found");
    }

    private HttpResponse<byte[]> get(String path, String accepted, String encoding)
            throws IOException, InterruptedException {
        return http.send(
                HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                        .header("Accept", accepted)
                        .header("Accept-Encoding", encoding)
                        .build(),
                HttpResponse.BodyHandlers.ofByteArray());
    }

    private static String text(HttpResponse<byte[]> answer) {
        return new String(answer.body(), StandardCharsets.UTF_8);
    }
}
