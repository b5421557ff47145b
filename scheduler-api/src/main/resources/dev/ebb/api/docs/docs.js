SwaggerUIBundle({
  url: "/v1/openapi.json",
  dom_id: "#contract",
  deepLinking: true,
  displayRequestDuration: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  validatorUrl: null
});
