package dev.equipoise.launcher;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

/**
 * The network of one machine: an address of its own, and a cable to a switch to which this machine
 * is connected as well. Needs Linux and root.
 */
final class Namespace implements AutoCloseable {

    /** Its own for each JVM, so that two builds on one machine do not meet. */
    private static final long PID = ProcessHandle.current().pid();

    private static final String PREFIX = "eqc";
    private static final String SWITCH = PREFIX + PID;

    /** None of those that the tests' own Docker engine gives to containers, 10.213.0.0/16. */
    private static final String NETWORK = "10.214." + PID % 256;

    /** Where the others reach this machine. */
    static final String HOST = NETWORK + ".1";

    private static final String PROBE =
            """
            ip netns add eqc-probe-$$
            ip netns delete eqc-probe-$$
            ip link add eqcp$$ type bridge
            ip link delete eqcp$$
            tc qdisc show >/dev/null
            folder=$(mktemp -d)
            mount -t tmpfs tmpfs "$folder"
            umount "$folder"
            rmdir "$folder"
            """;

    /** Names bear the process that made them. */
    private static final String SWEEP =
            """
            for name in $(ip -o netns list | grep -o '^eqc[0-9]*-[0-9]*'); do
                pid=${name#eqc}
                [ -d "/proc/${pid%-*}" ] || ip netns delete "$name"
            done
            for name in $(ip -o link show type bridge | grep -o 'eqc[0-9]*'); do
                [ -d "/proc/${name#eqc}" ] || ip link delete "$name"
            done
            grep '^eqc[0-9]* ' /proc/mounts | while read -r source folder rest; do
                [ -d "/proc/${source#eqc}" ] || umount "$folder"
            done
            """;

    private final int number;

    private Namespace(int number) {
        this.number = number;
    }

    /** Whether this machine lets the test make networks, and disks of its own. */
    static boolean arePossible() {
        return TestingTool.succeeds("sh", "-ec", PROBE);
    }

    /** The switch, without any machine; removes what killed builds have left. */
    static void layCables() throws IOException, InterruptedException {
        TestingTool.run("sh", "-c", SWEEP);
        TestingTool.run("ip", "link", "add", SWITCH, "type", "bridge");
        TestingTool.run("ip", "address", "add", HOST + "/24", "dev", SWITCH);
        TestingTool.run("ip", "link", "set", SWITCH, "up");
    }

    /** Of a disk in memory, so that a sweep finds it. */
    static String mountSource() {
        return SWITCH;
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
        var made = new Namespace(number);
        TestingTool.run("ip", "netns", "add", made.name());
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
                made.name());
        TestingTool.run("ip", "link", "set", made.cable(), "master", SWITCH, "up");
        made.inside("ip", "link", "set", "lo", "up");
        made.inside("ip", "address", "add", made.address() + "/24", "dev", "eth0");
        made.inside("ip", "link", "set", "eth0", "up");
        return made;
    }

    private String name() {
        return "%s%d-%d".formatted(PREFIX, PID, number);
    }

    private String cable() {
        return "eqw%d-%d".formatted(PID, number);
    }

    String address() {
        return NETWORK + "." + number;
    }

    /** What goes before a command that is to run there. */
    List<String> prefix() {
        return List.of("ip", "netns", "exec", name());
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
                "ip", "netns", "exec", name(), "tc", "qdisc", "delete", "dev", "eth0", "root");
    }

    private void inside(String... command) throws IOException, InterruptedException {
        TestingTool.run(
                Stream.concat(prefix().stream(), Stream.of(command)).toArray(String[]::new));
    }

    @Override
    public void close() {
        TestingTool.succeeds("ip", "netns", "delete", name());
    }
}
