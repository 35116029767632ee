package dev.equipoise.launcher;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

/**
 * The network of one machine: an address of its own, and a cable to a switch to which this machine
 * is connected as well. Needs Linux and root.
 */
final class Namespace implements AutoCloseable {

    /** Where the others reach this machine. */
    static final String HOST = "10.213.7.1";

    private static final String SWITCH = "eq-chaos";

    private static final String PROBE =
            """
            ip netns add eq-chaos-probe
            ip netns delete eq-chaos-probe
            ip link add eq-chaos-p type bridge
            ip link delete eq-chaos-p
            tc qdisc show >/dev/null
            folder=$(mktemp -d)
            mount -t tmpfs tmpfs "$folder"
            umount "$folder"
            rmdir "$folder"
            """;

    private final String name;
    private final String address;

    private Namespace(String name, String address) {
        this.name = name;
        this.address = address;
    }

    /** Whether this machine lets the test make networks, and disks of its own. */
    static boolean arePossible() {
        return TestingTool.succeeds("sh", "-ec", PROBE);
    }

    /** The switch, without any machine. */
    static void layCables() throws IOException, InterruptedException {
        tearCables();
        TestingTool.run("ip", "link", "add", SWITCH, "type", "bridge");
        TestingTool.run("ip", "address", "add", HOST + "/24", "dev", SWITCH);
        TestingTool.run("ip", "link", "set", SWITCH, "up");
    }

    static void tearCables() {
        TestingTool.succeeds("ip", "link", "delete", SWITCH);
    }

    /**
     * A machine at the switch.
     *
     * @param number from 2 to 254, of nobody else
     */
    static Namespace of(int number) throws IOException, InterruptedException {
        var made = new Namespace("eq-chaos-" + number, "10.213.7." + number);
        TestingTool.succeeds("ip", "netns", "delete", made.name);
        TestingTool.run("ip", "netns", "add", made.name);
        TestingTool.run(
                "ip",
                "link",
                "add",
                made.cable(),
                "type",
                "veth",
                "peer",
                "name",
                "eth0",
                "netns",
                made.name);
        TestingTool.run("ip", "link", "set", made.cable(), "master", SWITCH, "up");
        made.inside("ip", "link", "set", "lo", "up");
        made.inside("ip", "address", "add", made.address + "/24", "dev", "eth0");
        made.inside("ip", "link", "set", "eth0", "up");
        return made;
    }

    private String cable() {
        return name.replace("chaos", "wire");
    }

    String address() {
        return address;
    }

    /** What goes before a command that is to run there. */
    List<String> prefix() {
        return List.of("ip", "netns", "exec", name);
    }

    /** Nothing comes to it, and nothing from it. */
    void cut() throws IOException, InterruptedException {
        TestingTool.run("ip", "link", "set", cable(), "down");
    }

    /** Nothing comes from it, but what others send it comes to it. */
    void mute() throws IOException, InterruptedException {
        // A queue that is too small for any packet drops each.
        inside("tc", "qdisc", "replace", "dev", "eth0", "root", "bfifo", "limit", "1");
    }

    /** So much goes to it, and from it, and no more. */
    void narrow(String rate) throws IOException, InterruptedException {
        inside(
                "tc", "qdisc", "replace", "dev", "eth0", "root", "tbf", "rate", rate, "burst",
                "64kb", "latency", "100ms");
        TestingTool.run(
                "tc", "qdisc", "replace", "dev", cable(), "root", "tbf", "rate", rate, "burst",
                "64kb", "latency", "100ms");
    }

    void heal() throws IOException, InterruptedException {
        TestingTool.run("ip", "link", "set", cable(), "up");
        TestingTool.succeeds("tc", "qdisc", "delete", "dev", cable(), "root");
        TestingTool.succeeds(
                "ip", "netns", "exec", name, "tc", "qdisc", "delete", "dev", "eth0", "root");
    }

    private void inside(String... command) throws IOException, InterruptedException {
        TestingTool.run(
                Stream.concat(prefix().stream(), Stream.of(command)).toArray(String[]::new));
    }

    @Override
    public void close() {
        TestingTool.succeeds("ip", "netns", "delete", name);
    }
}
