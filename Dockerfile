# Takes the jar that ./ebb build makes, or mvn -DskipTests package.
FROM eclipse-temurin:25-jre

LABEL org.opencontainers.image.title="Ebb" \
      org.opencontainers.image.description="A distributed job scheduler on PostgreSQL" \
      org.opencontainers.image.licenses="Apache-2.0"

COPY scheduler-app/target/ebb.jar /opt/ebb/ebb.jar

# A number, so that Kubernetes can see that it is not root.
USER 10001:10001
WORKDIR /tmp

ENV JAVA_TOOL_OPTIONS="-XX:MaxRAMPercentage=65 -XX:+ExitOnOutOfMemoryError" \
    EBB_HOME=/tmp/ebb

EXPOSE 8080

# API and worker answer on the same path; the merchant has a check of its own in docker-compose.yml.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD curl -fsS "http://127.0.0.1:${EBB_HEALTH_PORT:-${EBB_HTTP_PORT:-8080}}/readyz" || exit 1

ENTRYPOINT ["java", "--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow", "-jar", "/opt/ebb/ebb.jar"]
CMD ["help"]
