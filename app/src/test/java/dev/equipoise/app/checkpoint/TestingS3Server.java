package dev.equipoise.app.checkpoint;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Runs S3Proxy in a process of its own: an S3-compatible server that checks signatures and stores
 * buckets in folders. The build provides its libraries (app/pom.xml).
 */
public final class TestingS3Server implements AutoCloseable {

    public static final String ACCESS_KEY = "the-lab";
    public static final String SECRET_KEY = "whatever-they-agreed-on";

    private static final Path CLASSPATH = Path.of("target/s3-server.classpath");
    private static final Path LOG = Path.of("target/s3-server.log");

    private final Path buckets;
    private final int port;
    private final Process process;

    private TestingS3Server(Path buckets, int port, Process process) {
        this.buckets = buckets;
        this.port = port;
        this.process = process;
    }

    public static TestingS3Server start(Path folder) throws IOException {
        int port = freePort();
        Path buckets = Files.createDirectories(folder.resolve("buckets"));
        Path settings =
                Files.writeString(
                        folder.resolve("s3proxy.properties"),
                        """
                        s3proxy.endpoint=http://127.0.0.1:%d
                        s3proxy.authorization=aws-v2-or-v4
                        s3proxy.identity=%s
                        s3proxy.credential=%s
                        jclouds.provider=filesystem-nio2
                        jclouds.identity=local
                        jclouds.credential=local
                        jclouds.filesystem.basedir=%s
                        """
                                .formatted(port, ACCESS_KEY, SECRET_KEY, buckets));
        Process process =
                new ProcessBuilder(
                                ProcessHandle.current().info().command().orElseThrow(),
                                "-Xmx128m",
                                "-DLOG_LEVEL=INFO",
                                "-cp",
                                Files.readString(CLASSPATH).strip(),
                                "org.gaul.s3proxy.Main",
                                "--properties",
                                settings.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(LOG.toFile())
                        .start();
        var server = new TestingS3Server(buckets, port, process);
        try {
            await().failFast("S3Proxy has ended; see " + LOG, () -> !process.isAlive())
                    .until(() -> isListening(port));
        } catch (RuntimeException failure) {
            server.close();
            throw failure;
        }
        return server;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static boolean isListening(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }

    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + port);
    }

    /** Creates a bucket and returns the folder of its objects. */
    public Path bucket(String name) throws IOException {
        return Files.createDirectory(buckets.resolve(name));
    }

    /** Creates settings for a bucket; the server accepts only {@link #SECRET_KEY} as the secret. */
    S3Settings settings(String bucket, String prefix, String secret) {
        return new S3Settings(
                endpoint(), bucket, "eu-central-1", prefix, ACCESS_KEY, secret, null, true);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
