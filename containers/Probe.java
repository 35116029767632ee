import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.URI;

/**
 * Checks the health of the program in this container, for engines that cannot check it themselves.
 */
final class Probe {

    private static final int TIMEOUT_MILLIS = 3000;

    private Probe() {}

    /**
     * Exits with status 0 if the port answers the path with 200, on the loopback or on the address
     * of this host.
     */
    public static void main(String[] arguments) throws IOException {
        int port = Integer.parseInt(arguments[0]);
        boolean isHealthy =
                answers(InetAddress.getLoopbackAddress(), port, arguments[1])
                        || answers(InetAddress.getLocalHost(), port, arguments[1]);
        System.exit(isHealthy ? 0 : 1);
    }

    private static boolean answers(InetAddress host, int port, String path) {
        try {
            var connection =
                    (HttpURLConnection)
                            URI.create(
                                            "http://%s:%d%s"
                                                    .formatted(host.getHostAddress(), port, path))
                                    .toURL()
                                    .openConnection();
            connection.setConnectTimeout(TIMEOUT_MILLIS);
            connection.setReadTimeout(TIMEOUT_MILLIS);
            return connection.getResponseCode() == HttpURLConnection.HTTP_OK;
        } catch (IOException noAnswer) {
            return false;
        }
    }
}
