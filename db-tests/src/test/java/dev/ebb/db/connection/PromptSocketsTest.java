package dev.ebb.db.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.db.Await;
import dev.ebb.db.TestPostgres;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.sql.Connection;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

class PromptSocketsTest {

  @Test
  void the_drivers_question_whether_more_has_arrived_reads_nothing_until_it_has() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket socket = new PromptSockets().createSocket()) {
      socket.connect(server.getLocalSocketAddress());
      InputStream in = socket.getInputStream();
      try (Socket other = server.accept()) {
        socket.setSoTimeout(1);
        assertThatThrownBy(in::read)
            .isInstanceOf(SocketTimeoutException.class)
            .hasMessage("nothing has arrived");

        other.getOutputStream().write(new byte[] {7, 8});
        Await.until("it has arrived", () -> in.available() == 2);
        assertThat(in.read()).isEqualTo(7);
        assertThat(in.read(new byte[5])).isEqualTo(1);
      }
    }
  }

  @Test
  void a_read_with_a_longer_timeout_waits_for_it() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket socket = new PromptSockets().createSocket()) {
      socket.connect(server.getLocalSocketAddress());
      InputStream in = socket.getInputStream();
      socket.setSoTimeout(1);
      socket.setSoTimeout(2);
      assertThatThrownBy(in::read)
          .isInstanceOf(SocketTimeoutException.class)
          .hasMessage("Read timed out");
    }
  }

  @Test
  void connections_of_ebb_have_them_and_hear_each_of_several_notifications() throws Exception {
    DatabaseConfig config = TestPostgres.shared().newDatabase();
    assertThat(Login.properties(config).getProperty("socketFactory"))
        .isEqualTo(PromptSockets.class.getName());
    try (Database database = TestPostgres.open(config);
        Connection listening = database.dedicatedConnection();
        Statement statement = listening.createStatement()) {
      statement.execute("listen c; notify c, 'first'; notify c, 'second'");
      assertThat(listening.unwrap(PGConnection.class).getNotifications(60_000))
          .extracting(heard -> heard.getParameter())
          .containsExactly("first", "second");
    }
  }
}
