package dev.ebb.worker.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.db.Sabotage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A program's packets by where they went, as the kernel counted them, and what the program printed.
 * It ran in a network namespace of its own, which has no link to any other, and in which every
 * address is its own: so each packet to anywhere is sent, counted and answered.
 *
 * @param byNetwork how many packets went to each network, in the order of the networks
 * @param toOtherPorts how many connections to {@value #PUBLIC} were tried on other ports than 80
 * @param printed the program's lines
 */
record PacketCount(Map<String, Long> byNetwork, long toOtherPorts, List<String> printed) {
  static final String PUBLIC = "93.184.216.0/24";

  private static final String SCRIPT =
      """
      set -e
      PATH=$PATH:/usr/sbin:/sbin
      ip link set lo up
      ip route add local default dev lo
      ip -6 route add local default dev lo
      for network in $IPV4; do iptables -w -A OUTPUT -d "$network"; done
      iptables -w -A OUTPUT -d %s -p tcp --syn ! --dport 80
      for network in $IPV6; do ip6tables -w -A OUTPUT -d "$network"; done
      "$@"
      iptables -w -nvxL OUTPUT | tail -n +3
      ip6tables -w -nvxL OUTPUT | tail -n +3
      """
          .formatted(PUBLIC);

  private static final Pattern COUNTER = Pattern.compile("\\s*(\\d+)\\s+\\d+\\s.*");

  /** Runs the program to its end, which must be a success. */
  static PacketCount of(List<String> ipv4, List<String> ipv6, Class<?> program, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("unshare", "--net"));
    if (!System.getProperty("user.name").equals("root")) {
      command.add("--map-root-user");
    }
    command.addAll(List.of("sh", "-c", SCRIPT, "sh"));
    command.addAll(Sabotage.java(program, arguments));
    Path output = Files.createTempFile("packets", ".txt");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
    builder.environment().put("IPV4", String.join(" ", ipv4));
    builder.environment().put("IPV6", String.join(" ", ipv6));
    int code = builder.start().waitFor();
    List<String> lines = Files.readAllLines(output, StandardCharsets.UTF_8);
    Files.delete(output);
    assertThat(code)
        .as(
            "The kernel must count packets: this needs unshare, ip and iptables, and the right to"
                + " make a network namespace. It said:%n%s",
            String.join("\n", lines))
        .isZero();
    return read(lines, ipv4, ipv6);
  }

  private static PacketCount read(List<String> lines, List<String> ipv4, List<String> ipv6) {
    List<Long> counters =
        lines.stream()
            .map(COUNTER::matcher)
            .filter(Matcher::matches)
            .map(counter -> Long.valueOf(counter.group(1)))
            .toList();
    assertThat(counters).as("a counter each").hasSize(ipv4.size() + 1 + ipv6.size());
    Map<String, Long> byNetwork = new LinkedHashMap<>();
    for (int i = 0; i < ipv4.size(); i++) {
      byNetwork.put(ipv4.get(i), counters.get(i));
    }
    for (int i = 0; i < ipv6.size(); i++) {
      byNetwork.put(ipv6.get(i), counters.get(ipv4.size() + 1 + i));
    }
    List<String> printed = lines.stream().filter(line -> !COUNTER.matcher(line).matches()).toList();
    return new PacketCount(byNetwork, counters.get(ipv4.size()), printed);
  }
}
